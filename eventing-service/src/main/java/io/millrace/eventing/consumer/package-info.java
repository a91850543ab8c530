/**
 * One consumer per worker process: it spawns the worker, supervises it, sends it the events of its vbuckets in order,
 * takes the outcomes, and sends what was not acknowledged again to the successor of a worker that died.
 *
 * <p>Only {@code producer} depends on this package; it depends on the worker link.
 */
@NullMarked
package io.millrace.eventing.consumer;

import org.jspecify.annotations.NullMarked;
