/** Plans. */
@NullUnmarked
package io.millrace.n1ql.plan;

import org.jspecify.annotations.NullUnmarked;
