package io.millrace.benchmarks.suite;

import io.lettuce.core.AclCategory;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a server has read of its data, from {@code INFO commandstats}: by clients and within functions.
 *
 * @param calls of commands that read
 * @param micros the time in them
 */
public record RedisReads(long calls, long micros) {

    private static final String PREFIX = "cmdstat_";

    /** Returns what has been read so far. */
    static RedisReads soFar(RedisCommands<byte[], byte[]> redis) {
        Set<String> reading = redis.aclCat(AclCategory.READ).stream()
                .map(command -> command.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        return of(redis.info("commandstats"), reading);
    }

    /** Adds up the lines of some commands. */
    static RedisReads of(String stats, Set<String> commands) {
        long calls = 0;
        long micros = 0;
        for (String line : stats.lines().toList()) {
            int colon = line.indexOf(':');
            if (line.startsWith(PREFIX) && commands.contains(line.substring(PREFIX.length(), colon))) {
                calls += number(line, "calls=");
                micros += number(line, "usec=");
            }
        }
        return new RedisReads(calls, micros);
    }

    private static long number(String line, String name) {
        int from = line.indexOf(name) + name.length();
        return Long.parseLong(line.substring(from, line.indexOf(',', from)));
    }

    public RedisReads minus(RedisReads earlier) {
        return new RedisReads(calls - earlier.calls, micros - earlier.micros);
    }
}
