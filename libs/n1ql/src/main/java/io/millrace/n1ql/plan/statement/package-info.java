/**
 * Plans whole statements: SELECT, and those that change documents or indexes.
 *
 * <p>Only the engine depends on it; it depends on the other packages of plans.
 */
@NullMarked
package io.millrace.n1ql.plan.statement;

import org.jspecify.annotations.NullMarked;
