/** Measures how many handler calls a worker completes per second of CPU time, without Redis. */
@NullMarked
package io.millrace.benchmarks.handlers;

import org.jspecify.annotations.NullMarked;
