/**
 * Runs Millrace on one machine without anything else installed: a Redis, the services as processes, the demo.
 *
 * <p>Plain Java. The test fixtures, the benchmarks and the acceptance tests build on {@link
 * io.millrace.launcher.RedisServer} and on {@code Suite}; no service depends on this package.
 */
@NullMarked
package io.millrace.launcher;

import org.jspecify.annotations.NullMarked;
