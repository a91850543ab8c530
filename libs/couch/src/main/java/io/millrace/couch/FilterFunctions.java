package io.millrace.couch;

import org.jspecify.annotations.Nullable;

/** Runs the functions of design documents. */
public interface FilterFunctions {

    /** What a function is. */
    enum Kind {
        /** {@code function(doc, req)}, which returns whether a document passes. */
        FILTER,
        /** {@code function(doc)}, by which a document passes when it calls {@code emit}. */
        MAP
    }

    /** A function that is ready to run; not thread-safe. */
    interface Compiled extends AutoCloseable {

        /** Returns null when it passed or not, or what went wrong. */
        Verdict test(byte[] document);

        @Override
        void close();
    }

    /**
     * How a function decided.
     *
     * @param failure why it could not, or null
     */
    record Verdict(boolean passes, @Nullable String failure) {}

    /**
     * Compiles a function.
     *
     * @param request the JSON that a filter gets as its second argument
     * @throws CouchException when it does not compile
     */
    Compiled compile(Kind kind, String source, byte[] request);
}
