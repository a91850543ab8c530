/** What the sub-document engine costs, beside the figures of the engine that clients know; for {@code Bench} only. */
@NullMarked
package io.millrace.benchmarks.subdoc;

import org.jspecify.annotations.NullMarked;
