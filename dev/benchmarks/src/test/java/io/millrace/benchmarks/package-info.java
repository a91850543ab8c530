/** Tests of what the programs compute with: a wrong sum would be a wrong figure. */
@NullMarked
package io.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
