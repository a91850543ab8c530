/** Values. */
@NullMarked
package io.millrace.n1ql.value;

import org.jspecify.annotations.NullMarked;
