/** Lives functions at random on real processes, and checks what delivery promises. */
@NullMarked
package io.millrace.benchmarks.lives;

import org.jspecify.annotations.NullMarked;
