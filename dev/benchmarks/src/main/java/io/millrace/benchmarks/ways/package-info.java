/** Ways into functions and out of them, next to programs that users would write without Millrace. */
@NullMarked
package io.millrace.benchmarks.ways;

import org.jspecify.annotations.NullMarked;
