/**
 * Test fixtures: a shared real Redis, separate servers, replicas and clusters for tests that kill them, and a network proxy
 * that fails on demand.
 *
 * <p>Only tests and benchmarks depend on this package.
 */
@NullMarked
package io.millrace.testkit;

import org.jspecify.annotations.NullMarked;
