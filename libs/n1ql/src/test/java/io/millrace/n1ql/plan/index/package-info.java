/** The encoding of index keys. */
@NullUnmarked
package io.millrace.n1ql.plan.index;

import org.jspecify.annotations.NullUnmarked;
