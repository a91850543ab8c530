/**
 * Plans FROM: where rows come from, joins, and which conditions are applied at which of them.
 *
 * <p>{@code plan} and {@code plan.statement} depend on it; it depends on {@code plan.index} and {@code plan.operator}.
 */
@NullMarked
package io.millrace.n1ql.plan.from;

import org.jspecify.annotations.NullMarked;
