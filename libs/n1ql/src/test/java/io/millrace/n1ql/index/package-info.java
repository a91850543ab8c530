/** Secondary indexes. */
@NullUnmarked
package io.millrace.n1ql.index;

import org.jspecify.annotations.NullUnmarked;
