/**
 * Runs Millrace on one machine with nothing else installed: what all parts of the launcher share.
 *
 * <p>{@link io.millrace.launcher.redis} starts a Redis server, {@link io.millrace.launcher.suite} all services, and
 * {@code command} holds the programs behind {@code ./millrace}. Plain Java without Spring. Test fixtures, benchmarks and
 * acceptance tests use the first two; no service depends on the launcher.
 */
@NullMarked
package io.millrace.launcher;

import org.jspecify.annotations.NullMarked;
