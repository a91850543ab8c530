/**
 * Plans: trees of operators that know how they are explained and open cursors over rows. A cursor gives a row when it is
 * asked and closes what it has opened. For the engine alone.
 */
@NullMarked
package io.millrace.n1ql.plan;

import org.jspecify.annotations.NullMarked;
