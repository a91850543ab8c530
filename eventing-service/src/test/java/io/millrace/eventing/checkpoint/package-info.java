/** Tests of {@code io.millrace.eventing.checkpoint}. */
@NullMarked
package io.millrace.eventing.checkpoint;

import org.jspecify.annotations.NullMarked;
