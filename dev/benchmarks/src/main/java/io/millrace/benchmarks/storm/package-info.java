/** A storm on a suite. */
@NullMarked
package io.millrace.benchmarks.storm;

import org.jspecify.annotations.NullMarked;
