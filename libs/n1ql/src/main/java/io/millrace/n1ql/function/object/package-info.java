/**
 * Functions of objects and of paths into them.
 *
 * <p>The registry depends on it; it depends on {@code function.spec}.
 */
@NullMarked
package io.millrace.n1ql.function.object;

import org.jspecify.annotations.NullMarked;
