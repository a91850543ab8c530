/**
 * Timers on Redis: {@link RedisTimerStore}, its functions, keys and records. For those who open a store; everything else is
 * package-private.
 */
@NullMarked
package io.millrace.timers.redis;

import org.jspecify.annotations.NullMarked;
