/** Access of benchmarks to the processes that they measure: functions, Redis and CPU time. For benchmarks only. */
@NullMarked
package io.millrace.benchmarks.suite;

import org.jspecify.annotations.NullMarked;
