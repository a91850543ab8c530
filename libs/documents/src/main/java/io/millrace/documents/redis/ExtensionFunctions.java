package io.millrace.documents.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.documents.store.Checks;
import io.millrace.redis.FunctionLibrary;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Redis functions that another module adds to those of documents. Each call is for one document: it is queued with the
 * other calls for that document and repaired in the same way. See {@link RedisDocumentStore#extend}.
 *
 * <p>KEYS of every function: document, order, meta, expiries, list of the document, ids. ARGV begin with the
 * incarnation, the collection's counter, the document's ref and the time in seconds with a fraction; the arguments of the
 * caller follow. A function answers with a list whose first element is one letter; {@code S} means that the shard, its
 * incarnation or the collection is unknown.
 *
 * @param <F> the functions, see {@link FunctionLibrary}
 */
public final class ExtensionFunctions<F extends Enum<F>> {

    private static final int FIXED_ARGS = 4;

    private final FunctionLibrary<F> library;
    private final DocumentQueues queues;
    private final InstantSource clock;

    ExtensionFunctions(FunctionLibrary<F> library, DocumentQueues queues, InstantSource clock) {
        this.library = library;
        this.queues = queues;
        this.clock = clock;
    }

    /** Calls a function. Fails with {@link DocumentsException}. */
    public CompletableFuture<List<byte[]>> call(F function, DocumentKey key, List<byte[]> args) {
        try {
            byte[] id = Checks.id(key.id());
            return queues.submit(
                    key,
                    (redis, place) -> send(redis, place, function, id, args).thenApply(ExtensionFunctions::known));
        } catch (DocumentsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private RedisFuture<List<byte[]>> send(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Place place, F function, byte[] id, List<byte[]> args) {
        byte[] ref = Keys.ref(place.collection().number(), id);
        Keys.Shard shard = place.shard();
        byte[][] keys = {
            shard.document(ref), shard.order(), shard.meta(), shard.expiries(), shard.list(ref), shard.ids()
        };
        byte[][] all = new byte[FIXED_ARGS + args.size()][];
        all[0] = place.bucket().gate;
        all[1] = place.collection().counter();
        all[2] = ref;
        all[3] = DocumentCodec.moment(clock.instant());
        for (int i = 0; i < args.size(); i++) {
            all[FIXED_ARGS + i] = args.get(i);
        }
        return library.list(redis, function, keys, all);
    }

    private static List<byte[]> known(List<byte[]> answer) {
        if (answer.getFirst()[0] == 'S') {
            throw DocumentQueues.StaleShard.INSTANCE;
        }
        return answer;
    }
}
