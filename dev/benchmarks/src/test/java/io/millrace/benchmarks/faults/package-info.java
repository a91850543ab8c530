@NullMarked
package io.millrace.benchmarks.faults;

import org.jspecify.annotations.NullMarked;
