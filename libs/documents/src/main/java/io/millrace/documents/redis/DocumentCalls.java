package io.millrace.documents.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.documents.DocumentStore.UnlockResult;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.redis.Bytes;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The calls to Redis for single documents, with their arguments and answers. */
final class DocumentCalls {

    private static final byte[] EMPTY = {};
    private static final byte[] ANY_CAS = Bytes.bytes("0");
    private static final byte[] INSERT = Bytes.bytes("I");
    private static final byte[] UPSERT = Bytes.bytes("U");
    private static final byte[] REPLACE = Bytes.bytes("R");
    private static final byte[] REMOVE = Bytes.bytes("D");
    private static final byte[] TOMBSTONE = Bytes.bytes("T");
    private static final int FIXED_ARGS = 12;

    private DocumentCalls() {}

    static CompletionStage<@Nullable Document> get(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Place place, DocumentKey key, byte[] id) {
        byte[] ref = Keys.ref(place.collection().number(), id);
        return get(redis, place.shard(), key, ref);
    }

    static CompletionStage<@Nullable Document> get(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Keys.Shard shard, DocumentKey key, byte[] ref) {
        return get(redis, shard, key, ref, DocumentCodec.FIELDS);
    }

    static CompletionStage<@Nullable Document> get(
            RedisClusterAsyncCommands<byte[], byte[]> redis,
            Keys.Shard shard,
            DocumentKey key,
            byte[] ref,
            byte[][] fieldsWanted) {
        return redis.hmget(shard.document(ref), fieldsWanted).thenApply(fields -> DocumentCodec.decode(key, fields));
    }

    static CompletionStage<WriteResult> write(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Place place, Write write, byte[] id, Instant now) {
        byte[] ref = Keys.ref(place.collection().number(), id);
        return DocumentFunction.WRITE
                .call(redis, keys(place.shard(), ref), args(place, write, ref, now))
                .thenApply(DocumentCalls::result);
    }

    /** Locks a document and reads it in one pipeline: no other caller can change it in between. */
    static CompletionStage<LockResult> lock(
            RedisClusterAsyncCommands<byte[], byte[]> redis,
            Place place,
            DocumentKey key,
            byte[] id,
            Document.Lock lock,
            Instant now) {
        byte[] ref = Keys.ref(place.collection().number(), id);
        CompletionStage<byte[]> locking = DocumentFunction.LOCK.call(
                redis,
                lockKeys(place.shard(), ref),
                place.bucket().incarnation,
                Bytes.bytes(lock.cas()),
                DocumentCodec.moment(now),
                DocumentCodec.moment(lock.until()));
        CompletionStage<@Nullable Document> reading = get(redis, place.shard(), key, ref);
        return locking.thenCombine(reading, (answer, document) -> switch (answer[0]) {
            case 'L' -> document == null ? new LockResult.NotFound() : new LockResult.Granted(document, lock.cas());
            case 'K' -> new LockResult.Taken();
            case 'N' -> new LockResult.NotFound();
            default -> throw DocumentQueues.StaleShard.INSTANCE;
        });
    }

    static CompletionStage<UnlockResult> unlock(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Place place, byte[] id, long cas, Instant now) {
        byte[] ref = Keys.ref(place.collection().number(), id);
        return DocumentFunction.UNLOCK
                .call(
                        redis,
                        lockKeys(place.shard(), ref),
                        place.bucket().incarnation,
                        Bytes.bytes(cas),
                        DocumentCodec.moment(now))
                .thenApply(answer -> switch (answer[0]) {
                    case 'U' -> UnlockResult.UNLOCKED;
                    case 'F' -> UnlockResult.NOT_LOCKED;
                    case 'K' -> UnlockResult.TAKEN;
                    case 'N' -> UnlockResult.NOT_FOUND;
                    default -> throw DocumentQueues.StaleShard.INSTANCE;
                });
    }

    private static byte[][] lockKeys(Keys.Shard shard, byte[] ref) {
        return new byte[][] {shard.document(ref), shard.meta()};
    }

    /** Returns true when the document was due and is now a tombstone. */
    static CompletionStage<Boolean> expire(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Place place, byte[] ref, long now) {
        return DocumentFunction.EXPIRE
                .call(
                        redis,
                        keys(place.shard(), ref),
                        place.bucket().incarnation,
                        place.collection().counter(),
                        ref,
                        Bytes.bytes(now))
                .thenApply(answer -> answer[0] == 'W');
    }

    private static byte[][] keys(Keys.Shard shard, byte[] ref) {
        return new byte[][] {shard.document(ref), shard.order(), shard.meta(), shard.expiries(), shard.ids()};
    }

    /** The arguments as {@code write.lua} names them. */
    private static byte[][] args(Place place, Write write, byte[] ref, Instant now) {
        byte[] user = write.userXattrs();
        byte[] system = write.systemXattrs();
        boolean ends = write.kind() == Write.Kind.REMOVE || write.kind() == Write.Kind.TOMBSTONE;
        byte[] body = ends ? null : write.body();
        byte[][] args = new byte[FIXED_ARGS + 2 * (given(body) + filled(user) + filled(system))][];
        args[0] = place.bucket().incarnation;
        args[1] = place.collection().counter();
        args[2] = ref;
        args[3] = kind(write.kind());
        args[4] = write.expectedCas() == 0 ? ANY_CAS : Bytes.bytes(write.expectedCas());
        args[5] = write.transaction().bytes();
        args[6] = DocumentCodec.moment(now);
        args[7] = DocumentCodec.type(write.datatype(), write.flags());
        args[8] = DocumentCodec.expiry(write.expiry());
        args[9] = DocumentCodec.origin(write.origin());
        args[10] = drops(write.kind(), user, system);
        args[11] = DocumentCodec.stamps(write.stamps());
        int next = FIXED_ARGS;
        if (body != null) {
            args[next++] = Keys.BODY;
            args[next++] = body;
        }
        if (user != null && user.length > 0) {
            args[next++] = Keys.USER_XATTRS;
            args[next++] = user;
        }
        if (system != null && system.length > 0) {
            args[next++] = Keys.SYSTEM_XATTRS;
            args[next] = system;
        }
        return args;
    }

    private static int given(byte @Nullable [] value) {
        return value == null ? 0 : 1;
    }

    private static int filled(byte @Nullable [] value) {
        return value == null || value.length == 0 ? 0 : 1;
    }

    private static byte[] kind(Write.Kind kind) {
        return switch (kind) {
            case INSERT -> INSERT;
            case UPSERT -> UPSERT;
            case REPLACE -> REPLACE;
            case REMOVE -> REMOVE;
            case TOMBSTONE -> TOMBSTONE;
        };
    }

    private static byte[] drops(Write.Kind kind, byte @Nullable [] user, byte @Nullable [] system) {
        boolean remove = kind == Write.Kind.REMOVE;
        if (!remove && user == null && system == null) {
            return EMPTY;
        }
        String body = remove ? "b" : "";
        String users = user == null ? (remove ? "u" : "") : user.length == 0 ? "u" : "";
        String systems = system != null && system.length == 0 ? "y" : "";
        return Bytes.bytes(body + users + systems);
    }

    private static WriteResult result(byte[] answer) {
        return switch (answer[0]) {
            case 'W' -> new WriteResult.Written(Bytes.number(answer, 1), false, false);
            case 'w' -> new WriteResult.Written(Bytes.number(answer, 1), true, false);
            case 'A' -> new WriteResult.Written(Bytes.number(answer, 1), false, true);
            case 'a' -> new WriteResult.Written(Bytes.number(answer, 1), true, true);
            case 'C' -> new WriteResult.CasMismatch(Bytes.number(answer, 1));
            case 'E' -> new WriteResult.AlreadyExists(Bytes.number(answer, 1));
            case 'K' -> new WriteResult.Locked(Bytes.number(answer, 1));
            case 'N' -> new WriteResult.NotFound();
            default -> throw DocumentQueues.StaleShard.INSTANCE;
        };
    }
}
