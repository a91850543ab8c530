/** Measures how long vbuckets pause when eventing nodes join, leave and crash, and checks that nothing is lost. */
@NullMarked
package io.millrace.benchmarks.rebalance;

import org.jspecify.annotations.NullMarked;
