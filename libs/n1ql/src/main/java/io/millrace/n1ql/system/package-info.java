/**
 * The tables of {@code system:} that need nothing of the engine: the catalog, users, and figures of the process.
 *
 * <p>The engine depends on it; it depends on {@code keyspace}, {@code plan.operator} and {@code runtime}.
 */
@NullMarked
package io.millrace.n1ql.system;

import org.jspecify.annotations.NullMarked;
