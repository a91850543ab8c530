package io.millrace.documents.spring;

import io.millrace.redis.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Warns while the clock of Redis, from which CAS are made, and that of this process differ: one of them is wrong, and
 * times that clients compare are off by as much.
 */
final class ClockWatch implements ApplicationListener<ApplicationReadyEvent>, AutoCloseable {

    /** What machines that synchronize their clocks stay well below, on a busy machine as well. */
    static final Duration TOLERANCE = Duration.ofSeconds(5);

    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

    private final RedisAccess redis;
    private final InstantSource clock;
    private @Nullable Disposable watch;

    ClockWatch(RedisAccess redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    @Override
    public synchronized void onApplicationEvent(ApplicationReadyEvent ready) {
        if (watch == null) {
            watch = Flux.interval(Duration.ZERO, INTERVAL)
                    .onBackpressureDrop()
                    .concatMap(round -> ahead().doOnNext(ClockWatch::warn).onErrorComplete())
                    .subscribe();
        }
    }

    private static void warn(Duration ahead) {
        LOG.warn("event=clock_differs redis_ahead_ms={}", ahead.toMillis());
    }

    /** Returns how far the clock of Redis is ahead, or nothing when the difference is tolerable. */
    Mono<Duration> ahead() {
        return Mono.fromCompletionStage(() -> redis.commands().thenCompose(commands -> commands.time()))
                .map(time -> Duration.between(clock.instant(), instant(time)))
                .filter(ahead -> ahead.abs().compareTo(TOLERANCE) > 0);
    }

    /** Returns the time that Redis tells: the second, and microseconds of it. */
    private static Instant instant(List<byte[]> time) {
        return Instant.ofEpochSecond(Bytes.number(time.get(0), 0), 1000 * Bytes.number(time.get(1), 0));
    }

    @Override
    public synchronized void close() {
        if (watch != null) {
            watch.dispose();
        }
    }
}
