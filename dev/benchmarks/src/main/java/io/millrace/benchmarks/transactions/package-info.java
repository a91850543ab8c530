/** Transactions of the published SDK under contention, with clients that are killed and a clock that is set back and forth. */
@NullMarked
package io.millrace.benchmarks.transactions;

import org.jspecify.annotations.NullMarked;
