package io.millrace.documents.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore.AtomicResult;
import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.documents.DocumentStore.UnlockResult;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.documents.store.Checks;
import io.millrace.redis.Bytes;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The calls to Redis for single documents, with their arguments and answers. */
final class DocumentCalls {

    private static final int WRITE_KEYS = 4;
    private static final int WRITE_ARGS = 3;
    private static final int VERSION_BYTES = 2 * Long.BYTES;
    private static final byte[] EMPTY = {};

    private DocumentCalls() {}

    /** What the writes of one call have to do with each other. */
    enum Company {
        /** Each is of another document. */
        APART('0'),
        /** Two of them are of one document. */
        REPEATING('1'),
        /** Each is of another document, and all are carried out or none. */
        ATOMIC('2');

        private final byte[] code;

        Company(char code) {
            this.code = new byte[] {(byte) code};
        }
    }

    /** Reads the fields of a document for {@link DocumentCodec}; large ones only if there is room for them. */
    static CompletionStage<Fields> fields(
            RedisClusterAsyncCommands<byte[], byte[]> redis,
            Place place,
            byte[] id,
            byte[][] fieldsWanted,
            ReadRoom room) {
        byte[] ref = Keys.ref(place.collection().number(), id);
        return fields(redis, place.shard(), ref, fieldsWanted, room);
    }

    private static CompletionStage<Fields> fields(
            RedisClusterAsyncCommands<byte[], byte[]> redis,
            Keys.Shard shard,
            byte[] ref,
            byte[][] fieldsWanted,
            ReadRoom room) {
        CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(shard.document(ref));
        for (byte[] field : fieldsWanted) {
            args.addKey(field);
        }
        return redis.dispatch(CommandType.HMGET, new Fields.Output(room), args);
    }

    /** Returns how many bytes the large fields of a document have. */
    static CompletionStage<Long> length(RedisClusterAsyncCommands<byte[], byte[]> redis, Place place, byte[] id) {
        byte[] document = place.shard().document(Keys.ref(place.collection().number(), id));
        return redis.hstrlen(document, Keys.BODY).thenCombine(redis.hstrlen(document, Keys.USER_XATTRS), Long::sum);
    }

    static CompletionStage<@Nullable Document> get(
            RedisClusterAsyncCommands<byte[], byte[]> redis,
            Keys.Shard shard,
            DocumentKey key,
            byte[] ref,
            byte[][] fieldsWanted) {
        return fields(redis, shard, ref, fieldsWanted, ReadRoom.UNLIMITED)
                .thenApply(fields -> DocumentCodec.decode(key, fields));
    }

    /**
     * Carries out writes of documents of one shard with one call.
     *
     * @param company whether each is carried out by itself
     */
    static CompletionStage<Answers> write(
            RedisClusterAsyncCommands<byte[], byte[]> redis,
            RedisBucket bucket,
            Keys.Shard shard,
            List<byte[]> documents,
            List<byte[]> writes,
            Company company,
            Instant now) {
        byte[][] keys = new byte[WRITE_KEYS + documents.size()][];
        keys[0] = shard.order();
        keys[1] = shard.meta();
        keys[2] = shard.expiries();
        keys[3] = shard.ids();
        for (int i = 0; i < documents.size(); i++) {
            keys[WRITE_KEYS + i] = documents.get(i);
        }
        byte[][] args = new byte[WRITE_ARGS + writes.size()][];
        args[0] = bucket.gate;
        args[1] = DocumentCodec.moment(now);
        args[2] = company.code;
        for (int i = 0; i < writes.size(); i++) {
            args[WRITE_ARGS + i] = writes.get(i);
        }
        return DocumentFunction.WRITE.call(redis, keys, args).thenApply(Answers::new);
    }

    /**
     * Carries out all of some writes or none, in a call in which each decides for all.
     *
     * @param first where the document of the first write is
     */
    static CompletionStage<AtomicResult> writeAtomically(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Place first, List<Write> writes, Instant now) {
        List<byte[]> documents = new ArrayList<>(writes.size());
        List<byte[]> args = new ArrayList<>(2 * writes.size());
        for (Write write : writes) {
            boolean sameBucket = write.key()
                    .keyspace()
                    .bucket()
                    .equals(writes.getFirst().key().keyspace().bucket());
            Place place = sameBucket ? first.bucket().place(write.key()) : null;
            if (sameBucket && place == null) {
                throw DocumentQueues.StaleShard.INSTANCE; // the catalog may know this collection by now
            }
            if (place == null || !place.shard().topic().equals(first.shard().topic())) {
                return CompletableFuture.completedStage(new AtomicResult.Apart(write.key()));
            }
            byte[] id = Checks.id(write.key().id());
            documents.add(place.shard().document(Keys.ref(place.collection().number(), id)));
            DocumentCodec.arguments(write, args);
        }
        return write(redis, first.bucket(), first.shard(), documents, args, Company.ATOMIC, now)
                .thenApply(answers -> result(writes, answers));
    }

    /** One that had been carried out before was so together with all others. */
    private static AtomicResult result(List<Write> writes, Answers answers) {
        AtomicResult result = new AtomicResult.Written();
        for (Write write : writes) {
            WriteResult answer = answers.next();
            if (answer instanceof WriteResult.Written written) {
                if (written.repeated()) {
                    return new AtomicResult.Written();
                }
            } else if (result instanceof AtomicResult.Written) {
                result = new AtomicResult.Refused(write.key(), answer);
            }
        }
        return result;
    }

    /** Returns the present by the clock of a shard. */
    static CompletionStage<Instant> time(RedisClusterAsyncCommands<byte[], byte[]> redis, Place place, Instant now) {
        return DocumentFunction.TIME
                .call(redis, place.shard().meta(), DocumentCodec.moment(now))
                .thenApply(ticks -> Instant.EPOCH.plusNanos(Bytes.number(ticks, 0) << Short.SIZE));
    }

    /** Locks a document; returns why it did not, or nothing when no other caller can change the document now. */
    static CompletionStage<Optional<LockResult>> lock(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Place place, byte[] id, Document.Lock lock, Instant now) {
        byte[] ref = Keys.ref(place.collection().number(), id);
        return DocumentFunction.LOCK
                .call(
                        redis,
                        lockKeys(place.shard(), ref),
                        place.bucket().gate,
                        bytes(lock.cas()),
                        DocumentCodec.moment(now),
                        Bytes.bytes(lock.until().toEpochMilli()))
                .thenApply(answer -> switch (answer[0]) {
                    case 'L' -> Optional.empty();
                    case 'K' -> Optional.of(new LockResult.Taken());
                    case 'N' -> Optional.of(new LockResult.NotFound());
                    default -> throw DocumentQueues.StaleShard.INSTANCE;
                });
    }

    static CompletionStage<UnlockResult> unlock(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Place place, byte[] id, long cas, Instant now) {
        byte[] ref = Keys.ref(place.collection().number(), id);
        return DocumentFunction.UNLOCK
                .call(redis, lockKeys(place.shard(), ref), place.bucket().gate, bytes(cas), DocumentCodec.moment(now))
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
                        place.bucket().gate,
                        place.collection().counter(),
                        ref,
                        Bytes.bytes(now))
                .thenApply(answer -> answer[0] == 'W');
    }

    private static byte[][] keys(Keys.Shard shard, byte[] ref) {
        return new byte[][] {shard.document(ref), shard.order(), shard.meta(), shard.expiries(), shard.ids()};
    }

    private static byte[] bytes(long cas) {
        return ByteBuffer.allocate(Long.BYTES).putLong(cas).array();
    }

    /** The answers to the writes of one call, in their order; {@code write.lua} describes their bytes. */
    static final class Answers {

        private final byte[] bytes;

        /** Of the next write that changes something. */
        private long cas;

        private long seqno;
        private int at = VERSION_BYTES;

        Answers(byte[] bytes) {
            this.bytes = bytes;
            if (bytes.length >= VERSION_BYTES) {
                cas = DocumentCodec.number(bytes, 0, Long.BYTES);
                seqno = DocumentCodec.number(bytes, Long.BYTES, Long.BYTES);
            }
        }

        /** Returns how the next write ended; throws {@link DocumentQueues.StaleShard} if the shard must be opened. */
        WriteResult next() {
            if (at >= bytes.length) {
                throw DocumentQueues.StaleShard.INSTANCE;
            }
            byte letter = bytes[at++];
            if (letter == 'W' || letter == 'w') {
                return new WriteResult.Written(cas++, seqno++, letter == 'w', false);
            }
            long itsCas = DocumentCodec.number(bytes, at, Long.BYTES);
            long itsSeqno = DocumentCodec.number(bytes, at + Long.BYTES, Long.BYTES);
            at += VERSION_BYTES;
            return switch (letter) {
                case 'A' -> new WriteResult.Written(itsCas, itsSeqno, false, true);
                case 'a' -> new WriteResult.Written(itsCas, itsSeqno, true, true);
                case 'C' -> new WriteResult.CasMismatch(itsCas);
                case 'E' -> new WriteResult.AlreadyExists(itsCas);
                case 'K' -> new WriteResult.Locked(itsCas);
                case 'N' -> new WriteResult.NotFound();
                default -> throw DocumentQueues.StaleShard.INSTANCE;
            };
        }
    }

    /** The fields of a document as Redis answers them. A large one is copied only if there is room for it. */
    static final class Fields {

        private final List<byte @Nullable []> values = new ArrayList<>(DocumentCodec.FIELDS.length);
        private long bytes;
        private boolean left;

        private Fields() {}

        /** Returns a field, or null if the document does not have it. */
        byte @Nullable [] get(int index) {
            return index < values.size() ? values.get(index) : null;
        }

        /** Returns how many bytes the fields have, those that were not copied included. */
        long bytes() {
            return bytes;
        }

        /** Returns how much room the fields need if one of them was not copied for want of it, otherwise 0. */
        long wanted() {
            return left ? bytes : 0;
        }

        /** Reads the answer to {@code HMGET}. */
        static final class Output extends CommandOutput<byte[], byte[], Fields> {

            private final ReadRoom room;

            Output(ReadRoom room) {
                super(ByteArrayCodec.INSTANCE, new Fields());
                this.room = room;
            }

            /** An answer begins, perhaps again after a lost connection. */
            @Override
            public void multi(int count) {
                output.values.clear();
                output.bytes = 0;
                output.left = false;
            }

            @Override
            public void set(@Nullable ByteBuffer value) {
                if (value == null) {
                    output.values.add(null);
                    return;
                }
                int length = value.remaining();
                output.bytes += length;
                if (length > Limits.UNASKED_READ_BYTES && !room.has(output.bytes)) {
                    output.left = true;
                    output.values.add(EMPTY);
                } else {
                    output.values.add(codec.decodeValue(value));
                }
            }
        }
    }
}
