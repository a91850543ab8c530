/**
 * CloudEvents over HTTP behind {@code publish()}: how an event is written and signed, and how it is sent until it is accepted. Only
 * the worker's host for handlers calls it.
 */
@NullMarked
package io.millrace.worker.cloudevents;

import org.jspecify.annotations.NullMarked;
