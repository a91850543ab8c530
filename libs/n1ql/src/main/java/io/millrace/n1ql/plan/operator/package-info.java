/**
 * Operators and cursors: how rows flow when a plan runs, and the operators that look at one row at a time.
 *
 * <p>All packages of plans depend on it; it depends on the runtime and on keyspaces.
 */
@NullMarked
package io.millrace.n1ql.plan.operator;

import org.jspecify.annotations.NullMarked;
