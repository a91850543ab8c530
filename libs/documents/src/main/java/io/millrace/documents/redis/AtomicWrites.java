package io.millrace.documents.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.DocumentStore.AtomicResult;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.redis.DocumentCalls.Company;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.documents.store.Checks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Writes of several documents of which all are carried out or none: one call, in which each decides for all. */
final class AtomicWrites {

    private AtomicWrites() {}

    /** @param first where the document of the first write is */
    static CompletionStage<AtomicResult> send(
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
        return DocumentCalls.write(redis, first.bucket(), first.shard(), documents, args, Company.ATOMIC, now)
                .thenApply(answers -> result(writes, answers));
    }

    /** One that had been carried out before was so together with all others. */
    private static AtomicResult result(List<Write> writes, DocumentCalls.Answers answers) {
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
}
