package io.millrace.testkit;

import io.millrace.launcher.redis.RedisConsole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A Redis with a replica, behind one address that a failover does not change. Writes made while replication is cut are
 * acknowledged, and lost by the failover.
 */
public final class RedisPair implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, String> SETTINGS = Map.of("repl-diskless-sync-delay", "0");

    private final OwnRedis master = OwnRedis.startDurable(SETTINGS);
    private final OwnRedis replica = OwnRedis.startDurable(SETTINGS);
    private final FlakyProxy link = FlakyProxy.to("127.0.0.1", master.port());
    private final FlakyProxy address = FlakyProxy.to("127.0.0.1", master.port());

    private RedisPair() {}

    /** Starts both; the replica receives all writes until {@link #cutReplication()}. */
    public static RedisPair start() {
        RedisPair pair = new RedisPair();
        pair.call(pair.replica, "REPLICAOF", "127.0.0.1", Integer.toString(pair.link.port()));
        pair.awaitInStep();
        return pair;
    }

    /** Returns the address of the current master. */
    public String url() {
        return address.redisUrl();
    }

    /** Returns a client for single commands to the current master. */
    public RedisConsole console() {
        return new RedisConsole(url(), Duration.ofSeconds(10));
    }

    /** Waits until the replica has all writes of the master. */
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

    /** Stops replication. */
    public void cutReplication() {
        link.down();
    }

    /** Kills the master and makes the replica the master, with the writes that it has received. */
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
