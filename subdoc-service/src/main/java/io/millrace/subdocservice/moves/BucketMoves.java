package io.millrace.subdocservice.moves;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.redis.BucketMove;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.redis.RedisTls;
import io.millrace.subdocservice.moves.BucketMoves.MoveException.Kind;
import io.millrace.subdocservice.moves.BucketMoves.MoveState.Phase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Moves of buckets to another Redis, one at a time. A running move holds a lease in the old Redis and stores its state
 * there. If two moves run in spite of the lease, {@link BucketMove} lets only one of them finish.
 */
public final class BucketMoves {

    private static final byte[] STATE = bytes("mr:move");
    private static final byte[] LOCK = bytes("mr:move:lock");
    private static final byte[] STOP = bytes("mr:move:stop");
    private static final Duration LOCKED = Duration.ofSeconds(30);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("bucket-move").start(task);

    private final DocumentStore store;
    private final Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis;
    private final RedisTls tls;
    private final InstantSource clock;

    /**
     * @param redis returns the commands of the connection of the store; called for each operation
     * @param tls how connections with TLS are made
     */
    public BucketMoves(
            DocumentStore store,
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis,
            RedisTls tls,
            InstantSource clock) {
        this.store = store;
        this.redis = redis;
        this.tls = tls;
        this.clock = clock;
    }

    /**
     * Starts a move and returns while it is running.
     *
     * @param address {@code redis://} or {@code rediss://}, with a password where one is needed
     * @param buckets the names of the buckets; empty for all that have not moved yet
     * @return fails with {@link MoveException} or {@link DocumentsException} if the move did not start
     */
    public CompletableFuture<MoveState> begin(String address, List<String> buckets) {
        return CompletableFuture.supplyAsync(() -> start(uri(address), buckets), THREADS);
    }

    /** Returns the latest move; fails with {@link MoveException} if there was none. */
    public CompletableFuture<MoveState> state() {
        return CompletableFuture.supplyAsync(this::known, THREADS);
    }

    /**
     * Ends the latest move unless it is complete: buckets that have moved stay in the new Redis, writes to all others go to
     * the old one as before.
     *
     * @param force whether the old Redis accepts writes again even to a bucket that seems to have moved
     */
    public CompletableFuture<MoveState> end(boolean force) {
        return CompletableFuture.supplyAsync(() -> endKnown(force), THREADS);
    }

    private static RedisURI uri(String address) {
        try {
            if (address.startsWith("redis://") || address.startsWith("rediss://")) {
                return RedisURI.create(address);
            }
        } catch (IllegalArgumentException e) {
            // falls through: the message is the same
        }
        throw new MoveException(
                Kind.BAD_ADDRESS,
                "The member \"redis\" must be the URL of the new Redis, such as redis://:password@host:6379.");
    }

    private RedisDocumentStore source() {
        if (store instanceof RedisDocumentStore here) {
            return here.with(SystemHandle.ALL); // a move of everything takes the buckets of the system along
        }
        throw new MoveException(Kind.IMPOSSIBLE, "Only buckets stored in Redis can move.");
    }

    private MoveState start(RedisURI uri, List<String> wanted) {
        RedisDocumentStore here = source();
        String id = UUID.randomUUID().toString();
        if (of(commands().set(LOCK, bytes(id), SetArgs.Builder.nx().px(LOCKED))) == null) {
            throw new MoveException(Kind.RUNNING, "A move is running. Wait for its end, or stop it.");
        }
        TargetRedis there = null;
        try {
            there = TargetRedis.connect(uri, tls, commands());
            List<BucketMove> moves = new ArrayList<>();
            List<String> names = wanted.isEmpty() ? notMovedYet(here) : wanted;
            for (String bucket : names) {
                check(here, there, bucket);
                moves.add(new BucketMove(here, there.store(), bucket));
            }
            if (moves.isEmpty()) {
                throw new MoveException(Kind.IMPOSSIBLE, "All buckets have moved already.");
            }
            String place = uri.getHost() + ':' + uri.getPort();
            of(commands().del(STOP));
            RunningMove running = new RunningMove(id, place, clock.instant().toString(), moves, there, this);
            MoveState begun = running.state();
            save(begun);
            THREADS.execute(running);
            return begun;
        } catch (RuntimeException e) {
            unlock(id);
            if (there != null) {
                there.close();
            }
            throw e;
        }
    }

    private static List<String> notMovedYet(RedisDocumentStore here) {
        return of(here.catalog().list()).stream()
                .map(BucketInfo::name)
                .filter(bucket -> !BucketMove.hasMoved(here, bucket))
                .toList();
    }

    private void check(RedisDocumentStore here, TargetRedis there, String bucket) {
        if (of(here.catalog().find(bucket)).isEmpty()) {
            throw DocumentsException.bucketNotFound(bucket);
        }
        if (BucketMove.hasMoved(here, bucket)) {
            throw new MoveException(Kind.IMPOSSIBLE, "Bucket '%s' has moved already.".formatted(bucket));
        }
        if (of(there.store().catalog().find(bucket)).isPresent()) {
            throw DocumentsException.of(
                    DocumentsException.Code.BUCKET_EXISTS,
                    "Bucket '%s' exists in the new Redis. Drop it there first, or move other buckets only."
                            .formatted(bucket));
        }
        requireNoEventingNode(bucket);
    }

    /** Eventing nodes write timers and checkpoints without passing the write gate of the bucket, so they must have stopped. */
    void requireNoEventingNode(String bucket) {
        long now = clock.millis();
        Map<byte[], byte[]> leases = of(commands().hgetall(bytes("mr:{" + bucket + ".0}:leases")));
        leases.forEach((node, until) -> {
            if (Long.parseLong(text(until)) > now) {
                throw new MoveException(
                        Kind.IMPOSSIBLE,
                        ("Functions keep timers and checkpoints in bucket '%s', and the eventing node %s is running."
                                        + " Stop eventing-service, wait %d s and try again; functions continue in the new Redis.")
                                .formatted(bucket, text(node), 1 + (Long.parseLong(text(until)) - now) / 1000));
            }
        });
    }

    private MoveState known() {
        byte[] state = of(commands().get(STATE));
        if (state == null) {
            throw new MoveException(Kind.NONE, "No move was ever started.");
        }
        MoveState known = JSON.readValue(state, MoveState.class);
        byte[] lock = known.going() ? of(commands().get(LOCK)) : null;
        return known.going() && (lock == null || !text(lock).equals(known.id())) ? known.in(Phase.INTERRUPTED) : known;
    }

    private MoveState endKnown(boolean force) {
        MoveState known = known();
        if (known.going()) {
            of(commands().set(STOP, bytes(known.id()), SetArgs.Builder.ex(Duration.ofHours(1))));
            return known;
        }
        if (known.phase() == Phase.MOVED && !force) {
            throw new MoveException(
                    Kind.IMPOSSIBLE,
                    "The move is complete. To go back, move the buckets from the new Redis to the old one.");
        }
        RedisDocumentStore here = source();
        for (MoveState.Bucket bucket : known.buckets()) {
            if (of(here.catalog().find(bucket.bucket())).isPresent()
                    && (force || !BucketMove.hasMoved(here, bucket.bucket()))) {
                BucketMove.abandon(here, bucket.bucket());
            }
        }
        MoveState ended = known.in(Phase.STOPPED);
        save(ended);
        return ended;
    }

    void save(MoveState state) {
        of(commands().set(STATE, JSON.writeValueAsBytes(state)));
    }

    /** Stores the state of a running move, unless it has lost its lease and another move has begun since. */
    void saveUnlessFollowed(MoveState state) {
        byte[] stored = of(commands().get(STATE));
        if (stored == null || JSON.readValue(stored, MoveState.class).id().equals(state.id())) {
            save(state);
        }
    }

    /** Renews the lease; false if another move holds it, or if this move was told to stop. */
    boolean goesOn(String id) {
        byte[] lock = of(commands().get(LOCK));
        byte[] stop = of(commands().get(STOP));
        if (lock == null || !Arrays.equals(lock, bytes(id)) || (stop != null && Arrays.equals(stop, bytes(id)))) {
            return false;
        }
        of(commands().pexpire(LOCK, LOCKED));
        return true;
    }

    void unlock(String id) {
        byte[] lock = of(commands().get(LOCK));
        if (lock != null && Arrays.equals(lock, bytes(id))) {
            of(commands().del(LOCK));
        }
    }

    private RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return of(redis.get());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static <T extends @Nullable Object> T of(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof DocumentsException known) {
                throw known;
            }
            throw DocumentsException.of(
                    DocumentsException.Code.UNAVAILABLE, "Redis does not respond: " + cause.getMessage(), cause);
        }
    }

    /**
     * The progress of a move.
     *
     * @param id the identifier of the move
     * @param redis the host and port of the new Redis
     * @param startedAt the start (RFC 3339)
     * @param error why it failed and what to do; null unless it failed
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record MoveState(
            String id,
            Phase phase,
            String redis,
            @JsonProperty("started_at") String startedAt,
            List<Bucket> buckets,
            @Nullable String error) {

        /** The phases of a move. */
        public enum Phase {
            @JsonProperty("copying")
            COPYING,
            /** Writes are refused, one bucket after another. */
            @JsonProperty("finishing")
            FINISHING,
            @JsonProperty("moved")
            MOVED,
            @JsonProperty("failed")
            FAILED,
            @JsonProperty("stopped")
            STOPPED,
            /** Its process ended: start the move again, or end it. */
            @JsonProperty("interrupted")
            INTERRUPTED
        }

        /**
         * The progress of a bucket.
         *
         * @param rows the number of documents and tombstones copied; one that changed during the copy counts again
         * @param total the number of documents and tombstones at the start
         * @param fencedMillis for how long writes were refused before the bucket was open in the new Redis
         */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public record Bucket(
                String bucket,
                boolean moved,
                long rows,
                long total,
                @JsonProperty("fenced_millis") @Nullable Long fencedMillis) {}

        boolean going() {
            return phase == Phase.COPYING || phase == Phase.FINISHING;
        }

        MoveState in(Phase other) {
            return new MoveState(id, other, redis, startedAt, buckets, error);
        }
    }

    /** A move cannot start or end. The message says why and what to do. */
    public static final class MoveException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** What stands in the way. */
        public enum Kind {
            /** A move is running. */
            RUNNING,
            /** There was no move. */
            NONE,
            /** The present state does not allow it. */
            IMPOSSIBLE,
            /** The address is not a valid URL of a Redis. */
            BAD_ADDRESS
        }

        private final Kind kind;

        MoveException(Kind kind, String message) {
            super(message, null, false, false);
            this.kind = kind;
        }

        public Kind kind() {
            return kind;
        }
    }
}
