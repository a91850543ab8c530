package io.millrace.documents;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.RedisBucket.Place;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Redis functions of another library, called for one document at a time in the order of its other calls, with the same
 * repairs. See {@link RedisDocumentStore#functions}.
 *
 * <p>KEYS of every function: document, order, meta, expiries, list beside the document, ids. ARGV begin with the incarnation,
 * the collection's counter, the document's ref and the second with its fraction; those of the caller follow. A function
 * answers with an array whose first element is one letter; {@code S} says that the shard, its incarnation or the
 * collection is not known.
 */
public final class RedisFunctions {

    private static final int FIXED_ARGS = 4;

    final String source;
    private final String name;
    private final Lanes lanes;
    private final InstantSource clock;

    RedisFunctions(Lanes lanes, InstantSource clock, Class<?> owner, String shared, List<String> operations) {
        this.lanes = lanes;
        this.clock = clock;
        StringBuilder body = new StringBuilder(FunctionLibrary.read(FunctionLibrary.class, "shared"));
        body.append('\n').append(FunctionLibrary.read(owner, shared));
        operations.forEach(operation -> body.append(FunctionLibrary.block(FunctionLibrary.read(owner, operation))));
        name = FunctionLibrary.name(body);
        source = FunctionLibrary.source(name, body);
    }

    /** Calls a function that writes. Fails with {@link DocumentsException}. */
    public CompletableFuture<List<byte[]>> call(String operation, DocumentKey key, List<byte[]> args) {
        return submit(operation, key, args, false);
    }

    /** Calls a function that declares {@code no-writes}. Fails with {@link DocumentsException}. */
    public CompletableFuture<List<byte[]>> read(String operation, DocumentKey key, List<byte[]> args) {
        return submit(operation, key, args, true);
    }

    private CompletableFuture<List<byte[]>> submit(
            String operation, DocumentKey key, List<byte[]> args, boolean readOnly) {
        String function = name + '_' + operation;
        try {
            byte[] id = Checks.id(key.id());
            return lanes.submit(
                    key,
                    (redis, place) ->
                            send(redis, place, function, id, args, readOnly).thenApply(RedisFunctions::known));
        } catch (DocumentsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private RedisFuture<List<byte[]>> send(
            RedisClusterAsyncCommands<byte[], byte[]> redis,
            Place place,
            String function,
            byte[] id,
            List<byte[]> args,
            boolean readOnly) {
        byte[] ref = Keys.ref(place.collection().number(), id);
        Keys.Shard shard = place.shard();
        byte[][] keys = {
            shard.document(ref), shard.order(), shard.meta(), shard.expiries(), shard.list(ref), shard.ids()
        };
        byte[][] all = new byte[FIXED_ARGS + args.size()][];
        all[0] = place.bucket().incarnation;
        all[1] = place.collection().counter();
        all[2] = ref;
        all[3] = DocumentCodec.moment(clock.instant());
        for (int i = 0; i < args.size(); i++) {
            all[FIXED_ARGS + i] = args.get(i);
        }
        return readOnly
                ? redis.fcallReadOnly(function, ScriptOutputType.MULTI, keys, all)
                : redis.fcall(function, ScriptOutputType.MULTI, keys, all);
    }

    private static List<byte[]> known(List<byte[]> answer) {
        if (answer.getFirst()[0] == 'S') {
            throw Lanes.StaleShard.INSTANCE;
        }
        return answer;
    }
}
