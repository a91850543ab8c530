/** Measures sub-document operations and compares them with figures of subjson. For {@code Bench} only. */
@NullMarked
package io.millrace.benchmarks.subdoc;

import org.jspecify.annotations.NullMarked;
