/** Tests of the bindings on stores in memory that fail. */
@NullMarked
package io.millrace.worker.bindings;

import org.jspecify.annotations.NullMarked;
