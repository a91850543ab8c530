/**
 * Chooses an index for a keyspace of a query, and reads it: compiled indexes, the encoding of their keys, spans, covered
 * documents.
 *
 * <p>{@code plan}, {@code plan.from}, {@code plan.statement} and the engine depend on it; it depends on {@code
 * plan.operator}.
 */
@NullMarked
package io.millrace.n1ql.plan.index;

import org.jspecify.annotations.NullMarked;
