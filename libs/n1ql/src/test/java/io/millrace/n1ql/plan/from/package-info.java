/** The encoding of index keys. */
@NullUnmarked
package io.millrace.n1ql.plan.from;

import org.jspecify.annotations.NullUnmarked;
