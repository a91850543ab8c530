/** Finds a Redis executable and runs it as a server process. For the suite, test fixtures and benchmarks. */
@NullMarked
package io.millrace.launcher.redis;

import org.jspecify.annotations.NullMarked;
