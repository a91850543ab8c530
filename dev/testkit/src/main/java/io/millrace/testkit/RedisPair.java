package io.millrace.testkit;

import io.millrace.launcher.redis.RedisConsole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A Redis with a replica, behind one address that stays the same when the replica takes over. What is written while the
 * replica is cut off is acknowledged and lost then.
 */
public final class RedisPair implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, String> SETTINGS = Map.of("repl-diskless-sync-delay", "0");

    private final OwnRedis master = OwnRedis.startDurable(SETTINGS);
    private final OwnRedis replica = OwnRedis.startDurable(SETTINGS);
    private final FlakyProxy link = FlakyProxy.to("127.0.0.1", master.port());
    private final FlakyProxy address = FlakyProxy.to("127.0.0.1", master.port());

    private RedisPair() {}

    /** Starts both; the replica has everything that is written from now on until it is cut off. */
    public static RedisPair start() {
        RedisPair pair = new RedisPair();
        pair.call(pair.replica, "REPLICAOF", "127.0.0.1", Integer.toString(pair.link.port()));
        pair.awaitInStep();
        return pair;
    }

    /** Where clients find whichever is the master. */
    public String url() {
        return address.redisUrl();
    }

    /** Sends single commands to whichever is the master. */
    public RedisConsole console() {
        return new RedisConsole(url(), Duration.ofSeconds(10));
    }

    /** Returns when the replica has everything that the master has. */
    public void awaitInStep() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!inStep()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("The replica does not follow: " + call(replica, "INFO", "replication"));
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private boolean inStep() {
        String follows = call(replica, "INFO", "replication");
        return follows.contains("master_link_status:up")
                && offset(follows, "slave_repl_offset:")
                        .equals(offset(call(master, "INFO", "replication"), "master_repl_offset:"));
    }

    private static String offset(String info, String field) {
        return info.lines()
                .filter(line -> line.startsWith(field))
                .map(line -> line.substring(field.length()))
                .findFirst()
                .orElse("none");
    }

    /** From now on the replica hears of nothing. */
    public void cutReplication() {
        link.down();
    }

    /** The master dies, and the replica takes its place with what it has. */
    public void failOver() {
        master.kill9();
        call(replica, "REPLICAOF", "NO", "ONE");
        address.retarget("127.0.0.1", replica.port());
    }

    private static String call(OwnRedis redis, String... command) {
        try {
            return redis.console().call(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        address.close();
        link.close();
        replica.close();
        master.close();
    }
}
