package io.millrace.subdocservice.kv.durability;

import io.millrace.documents.DocumentsException;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.memcached.Durability;
import io.millrace.memcached.Status;
import io.millrace.redis.RedisFailure;
import io.millrace.subdocservice.kv.command.CommandException;
import io.millrace.subdocservice.kv.command.DurableWrites;
import io.millrace.subdocservice.kv.durability.ReplicaWaits.Line;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Durable writes by {@code WAIT} for memory and {@code WAITAOF} for disks. A majority is counted from the active Redis and its
 * replicas, the connected or the configured number of them, whichever is larger. A level that has too few replicas or no
 * append-only file is rejected before anything is written.
 */
public final class RedisDurableWrites implements DurableWrites, AutoCloseable {

    private static final String EVERY_WRITE = "always";

    private final RedisAccess redis;
    private final int replicas;
    private final ReplicaWaits memory;
    private final ReplicaWaits active;
    private final ReplicaWaits disks;

    private @Nullable CompletableFuture<Durable> known;
    private long knownAt;

    /** The capabilities of Redis; {@code needed} is the number of replicas that form a majority with it. */
    private record Durable(io.millrace.documents.spring.Durability redis, int needed) {}

    /** @param replicas the configured number of replicas */
    public RedisDurableWrites(RedisAccess redis, int replicas) {
        this.redis = redis;
        this.replicas = replicas;
        this.memory = new ReplicaWaits(redis);
        this.active = new ReplicaWaits(redis);
        this.disks = new ReplicaWaits(redis);
    }

    @Override
    public CompletableFuture<Admission> admit(Durability level) {
        return durable()
                .thenCompose(durable -> checked(level, durable))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        RedisFailure.unwrap(failure) instanceof CommandException refused
                                ? refused
                                : DocumentsException.of(failure)));
    }

    private CompletionStage<Admission> checked(Durability level, Durable durable) {
        check(level.level(), durable);
        boolean disk = onDisk(level.level(), durable);
        if (!disk && durable.needed == 0) {
            return done(() -> CompletableFuture.completedFuture(null));
        }
        return (disk ? waits(level).disksCanBeAwaited() : done(true)).thenCompose(possible -> {
            if (!possible) {
                throw impossible("Redis is older than 7.2 and does not support WAITAOF");
            }
            return opened(level, disk, durable.needed);
        });
    }

    /** The connections that will wait are opened before the write; see {@link ReplicaWaits}. */
    private CompletionStage<Admission> opened(Durability level, boolean disk, int needed) {
        CompletionStage<Line> line = waits(level).line();
        boolean diskOfActive = disk && level.level() == Durability.MAJORITY_AND_PERSIST_TO_ACTIVE;
        if (diskOfActive) {
            return line.thenCombine(
                    memory.line(),
                    (active, replicas) -> () ->
                            inTime(level, active.disks(0).thenCombine(replicas.memory(needed), Boolean::logicalAnd)));
        }
        return line.thenApply(one -> () -> inTime(level, disk ? one.disks(needed) : one.memory(needed)));
    }

    /** The write has been done, so that whatever fails now leaves open only how durable it is. */
    private static CompletableFuture<Void> inTime(Durability level, CompletableFuture<Boolean> reached) {
        return reached.orTimeout(patience(level).toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(failure -> false)
                .thenAccept(enough -> {
                    if (!enough) {
                        throw late();
                    }
                });
    }

    private static void check(int level, Durable durable) {
        if (durable.redis.replicas() < durable.needed) {
            throw impossible("Redis has %d replicas, and a majority needs %d"
                    .formatted(durable.redis.replicas(), durable.needed));
        }
        if (level != Durability.MAJORITY && !durable.redis.appendOnly()) {
            throw impossible("Redis does not write to disk; set appendonly yes");
        }
    }

    private static CommandException impossible(String why) {
        return CommandException.of(Status.DURABILITY_IMPOSSIBLE, why);
    }

    /** Returns whether to wait for a disk: with appendfsync always, the active Redis has every acknowledged write on disk. */
    private static boolean onDisk(int level, Durable durable) {
        boolean atOnce = durable.redis.sync().equals(EVERY_WRITE);
        return switch (level) {
            case Durability.MAJORITY -> false;
            case Durability.MAJORITY_AND_PERSIST_TO_ACTIVE -> !atOnce;
            default -> !atOnce || durable.needed > 0;
        };
    }

    private static CommandException late() {
        return CommandException.of(
                Status.SYNC_WRITE_AMBIGUOUS, "The write was done; whether it is as durable as requested is unknown");
    }

    private static Duration patience(Durability level) {
        if (level.timeoutMillis() == 0) {
            return DurabilityLimits.MAX_DURABILITY_WAIT;
        }
        Duration asked = Duration.ofMillis(level.timeoutMillis());
        return asked.compareTo(DurabilityLimits.MAX_DURABILITY_WAIT) < 0 ? asked : DurabilityLimits.MAX_DURABILITY_WAIT;
    }

    private ReplicaWaits waits(Durability level) {
        return switch (level.level()) {
            case Durability.MAJORITY -> memory;
            case Durability.MAJORITY_AND_PERSIST_TO_ACTIVE -> active;
            default -> disks;
        };
    }

    /** Returns the capabilities of Redis, at most one second old. */
    private synchronized CompletableFuture<Durable> durable() {
        long now = System.nanoTime();
        if (known == null
                || known.isCompletedExceptionally()
                || now - knownAt > DurabilityLimits.CAPABILITIES_MAX_AGE.toNanos()) {
            knownAt = now;
            known = redis.commands()
                    .thenCompose(io.millrace.documents.spring.Durability::read)
                    .thenApply(read -> new Durable(read, Math.max(read.replicas(), replicas) + 1 >> 1))
                    .toCompletableFuture();
        }
        return known;
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedStage(value);
    }

    @Override
    public void close() {
        memory.close();
        active.close();
        disks.close();
    }
}
