/**
 * Rows outside of the heap: files of rows, and rows divided by a key into several files.
 *
 * <p>{@code plan} and {@code plan.from} depend on it; it depends on the runtime.
 */
@NullMarked
package io.millrace.n1ql.plan.spill;

import org.jspecify.annotations.NullMarked;
