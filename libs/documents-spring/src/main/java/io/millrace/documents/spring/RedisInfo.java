package io.millrace.documents.spring;

import io.millrace.redis.RedisFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.health.contributor.Health;
import reactor.core.publisher.Mono;

/** What Redis says about itself. */
record RedisInfo(Map<String, String> fields) {

    /** A Redis that does not answer must be noticed within two seconds. */
    static final Duration TIME_LIMIT = Duration.ofSeconds(1);

    static Mono<RedisInfo> read(RedisAccess redis) {
        return Mono.fromCompletionStage(() -> redis.commands().thenCompose(commands -> commands.info()))
                .timeout(TIME_LIMIT)
                .map(RedisInfo::of);
    }

    /**
     * Returns the health of a Redis that could not be asked. It carries no exception: the base class would log one, with its
     * stack, for each question that comes while Redis is away.
     */
    static Health unanswered(Health.Builder builder, Throwable failure) {
        String reason = failure instanceof TimeoutException
                ? "Redis does not answer. Is it running?"
                : RedisFailure.of(failure).message();
        return builder.down().withDetail("reason", reason).build();
    }

    /** Reads the response to {@code INFO}. */
    static RedisInfo of(String text) {
        Map<String, String> fields = new HashMap<>();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return new RedisInfo(Map.copyOf(fields));
    }

    String field(String name) {
        return fields.getOrDefault(name, "");
    }

    /** Returns why Redis refuses writes, if it does; it answers reads then. */
    Optional<String> refusesWrites() {
        if (field("role").equals("slave")) {
            return Optional.of("Redis is a replica, which is read only. Connect to its primary, or promote it.");
        }
        if (field("aof_last_write_status").equals("err")) {
            return Optional.of("Redis cannot write its append-only file. Is its disk full?");
        }
        long max = number("maxmemory");
        if (max > 0 && number("used_memory") >= max && field("maxmemory_policy").equals("noeviction")) {
            return Optional.of(
                    "The memory of Redis is full: %,d of %,d bytes are used. Delete documents or raise maxmemory."
                            .formatted(number("used_memory"), max));
        }
        return Optional.empty();
    }

    private long number(String name) {
        String text = field(name);
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }
}
