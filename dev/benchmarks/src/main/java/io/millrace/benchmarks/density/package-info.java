/** Measures what a function costs: to deploy it, and to keep many on one node. */
@NullMarked
package io.millrace.benchmarks.density;

import org.jspecify.annotations.NullMarked;
