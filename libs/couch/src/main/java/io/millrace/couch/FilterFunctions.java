package io.millrace.couch;

import org.jspecify.annotations.Nullable;

/** Runs the functions of design documents. */
public interface FilterFunctions {

    /** The kind of a function. */
    enum Kind {
        /** {@code function(doc, req)}, which returns whether a document passes. */
        FILTER,
        /** {@code function(doc)}, by which a document passes when it calls {@code emit}. */
        MAP,
        /**
         * {@code function(newDoc, oldDoc, userCtx, secObj)}, which throws what it refuses. The document is an object with the
         * four arguments. The failure of a verdict is JSON: the {@code forbidden} or {@code unauthorized} of the thrown
         * object, or the {@code failure} of the function; or text, if the function was stopped.
         */
        VALIDATION
    }

    /** A function that is ready to run; not thread-safe. */
    interface Compiled extends AutoCloseable {

        /** Applies the function to a document. */
        Verdict test(byte[] document);

        @Override
        void close();
    }

    /**
     * The result of a function.
     *
     * @param failure why the function failed, or null
     */
    record Verdict(boolean passes, @Nullable String failure) {}

    /**
     * Compiles a function.
     *
     * @param request the second argument of a filter, as JSON
     * @throws CouchException if it does not compile
     */
    Compiled compile(Kind kind, String source, byte[] request);
}
