/** Where {@code publish()} sends messages to. Only the worker's host for handlers calls it. */
@NullMarked
package io.millrace.worker.messages;

import org.jspecify.annotations.NullMarked;
