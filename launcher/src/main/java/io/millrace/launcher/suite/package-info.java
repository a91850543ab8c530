/** Runs Redis and the four services as supervised processes. For the commands, benchmarks and acceptance tests. */
@NullMarked
package io.millrace.launcher.suite;

import org.jspecify.annotations.NullMarked;
