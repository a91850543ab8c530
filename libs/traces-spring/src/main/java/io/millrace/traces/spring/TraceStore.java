package io.millrace.traces.spring;

import io.millrace.traces.Span;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The newest traces of each function, and of writes. A trace is kept as long as it is one of the newest of any function in it, or of
 * the writes, and at most for {@link #LONGEST}. Thread-safe.
 */
public interface TraceStore {

    /** After this time without another span a trace is forgotten. */
    Duration LONGEST = Duration.ofDays(7);

    /**
     * What leads to a trace.
     *
     * @param text the kind and the name
     */
    record Reference(String text) {

        /** That changes were written by clients. */
        static final Reference WRITES = new Reference("w");

        private static final String FUNCTION = "f:";

        /** A function that took part in it, by its full name. */
        public static Reference function(String name) {
            return new Reference(FUNCTION + name);
        }

        /** A document that was changed, by its id in whatever keyspace. */
        public static Reference document(String id) {
            return new Reference("d:" + id);
        }

        /** The request of a client, by its id. */
        public static Reference request(String id) {
            return new Reference("r:" + id);
        }

        /** Returns whether the newest traces with this reference are kept. */
        boolean keeps() {
            return equals(WRITES) || text.startsWith(FUNCTION);
        }
    }

    /** Adds spans of one trace. */
    CompletableFuture<Void> add(String trace, List<Span> spans);

    /** Returns the spans of a trace in no order; none if it is not known. */
    CompletableFuture<List<Span>> spans(String trace);

    /** Returns the ids of the newest traces with a reference, newest first. */
    CompletableFuture<List<String>> newest(Reference reference, int most);
}
