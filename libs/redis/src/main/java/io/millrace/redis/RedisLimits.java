package io.millrace.redis;

import java.time.Duration;

/** Limits of the connections to Redis. */
final class RedisLimits {

    /** How long Redis may be silent while it owes answers, or stay disconnected, until calls fail. */
    static final Duration MAX_SILENCE = Duration.ofSeconds(4);

    /** How long a call waits after that, while Redis is still away. */
    static final Duration WAIT_WHILE_AWAY = Duration.ofMillis(100);

    private RedisLimits() {}
}
