/** Measures how long {@code ./millrace up} takes and what the idle suite needs. For {@code Bench} only. */
@NullMarked
package io.millrace.benchmarks.start;

import org.jspecify.annotations.NullMarked;
