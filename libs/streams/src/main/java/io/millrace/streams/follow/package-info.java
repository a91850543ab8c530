/** Reading the events of many streams in order, from the beginning or from where a reader stopped, and waiting for more. */
@NullMarked
package io.millrace.streams.follow;

import org.jspecify.annotations.NullMarked;
