/** Programs that measure Millrace as its users run it: real processes, a real Redis, figures from one run. */
@NullMarked
package io.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
