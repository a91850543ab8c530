package io.millrace.couch;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer in the words of HTTP. */
public sealed interface CouchResponse {

    int status();

    Map<String, String> headers();

    /** An answer that is there as a whole. */
    record Whole(int status, Map<String, String> headers, byte[] body) implements CouchResponse {}

    /** An answer that comes in pieces; each is to be sent as soon as it is there. */
    record Streamed(int status, Map<String, String> headers, Chunks chunks) implements CouchResponse {}

    /** The pieces of an answer. */
    interface Chunks extends AutoCloseable {

        /** Returns the next piece, which may be empty, or null when there is none. Blocks as long as it has to. */
        byte @Nullable [] next();

        @Override
        void close();
    }
}
