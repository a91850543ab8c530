/**
 * Worker processes: a few are started before any function needs them, and workers are placed in them. Implements {@link
 * io.millrace.eventing.consumer.WorkerLauncher}.
 *
 * <p>Only {@code producer} uses it, to assemble the runtime.
 */
@NullMarked
package io.millrace.eventing.hosts;

import org.jspecify.annotations.NullMarked;
