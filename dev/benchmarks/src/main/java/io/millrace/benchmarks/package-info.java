/**
 * Programs that measure Millrace as users run it: real processes, a real Redis, all figures of a table from one run. Only
 * {@code ./millrace bench} runs them.
 */
@NullMarked
package io.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
