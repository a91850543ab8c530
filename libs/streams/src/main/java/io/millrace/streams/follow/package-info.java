/**
 * Reading the events of many streams in order, from the beginning or from where a reader stopped, and waiting for more; {@link
 * io.millrace.streams.follow.Subscription} hands them to a handler.
 */
@NullMarked
package io.millrace.streams.follow;

import org.jspecify.annotations.NullMarked;
