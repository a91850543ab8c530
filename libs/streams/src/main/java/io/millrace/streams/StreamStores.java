package io.millrace.streams;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.streams.memory.MemoryStreamStore;
import io.millrace.streams.redis.RedisStreamStore;
import io.millrace.streams.store.StreamStore;

/** Makes the stream store that keeps its streams in a document store. */
public final class StreamStores {

    private StreamStores() {}

    /**
     * Returns a store of the streams of one keyspace. In memory, make at most one per keyspace.
     *
     * @param documents in Redis or in memory; the streams are kept in the same place
     * @param keyspace holds streams only
     * @throws IllegalArgumentException when {@code documents} is neither in Redis nor in memory
     */
    public static StreamStore on(DocumentStore documents, Keyspace keyspace) {
        return switch (documents) {
            case RedisDocumentStore redis -> new RedisStreamStore(redis, keyspace);
            case MemoryDocumentStore memory -> new MemoryStreamStore(memory, keyspace);
            default ->
                throw new IllegalArgumentException("Streams need a document store in Redis or in memory, not a "
                        + documents.getClass().getName());
        };
    }
}
