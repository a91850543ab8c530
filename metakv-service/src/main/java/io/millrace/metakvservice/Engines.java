package io.millrace.metakvservice;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.MemoryDocumentStore;
import io.millrace.documents.RedisDocumentStore;
import io.millrace.streams.MemoryStreamStore;
import io.millrace.streams.RedisStreamStore;
import io.millrace.streams.StreamStore;

/** Which stream store goes with a document store. */
final class Engines {

    private Engines() {}

    /** Returns the streams of a keyspace. */
    static StreamStore streams(DocumentStore documents, Keyspace keyspace) {
        return switch (documents) {
            case RedisDocumentStore redis -> new RedisStreamStore(redis, keyspace);
            case MemoryDocumentStore memory -> new MemoryStreamStore(memory, keyspace);
            default -> throw new IllegalArgumentException("Streams cannot lie in " + documents.getClass());
        };
    }
}
