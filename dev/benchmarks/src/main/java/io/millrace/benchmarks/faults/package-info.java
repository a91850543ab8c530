/** Hurts the processes of a running suite, and restarts its Redis, under writes with a function; checks what clients get. */
@NullMarked
package io.millrace.benchmarks.faults;

import org.jspecify.annotations.NullMarked;
