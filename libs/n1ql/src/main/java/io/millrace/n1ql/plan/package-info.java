/**
 * Plans queries: one SELECT clause after the other, grouping, windows, sorting and set operations.
 *
 * <p>{@code plan.statement} depends on this package; it depends on {@code plan.from}, {@code plan.index} and {@code
 * plan.operator}, and on syntax, expressions and runtime.
 */
@NullMarked
package io.millrace.n1ql.plan;

import org.jspecify.annotations.NullMarked;
