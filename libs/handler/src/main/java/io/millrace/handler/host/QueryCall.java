package io.millrace.handler.host;

import org.jspecify.annotations.Nullable;

/**
 * A statement that code runs.
 *
 * @param service which service runs it
 * @param named a JSON object of values by the names of parameters, without their sigils
 * @param positional a JSON array of values
 * @param clientContextId the id that the code gives the request, otherwise its position, {@code line@function(name)};
 *     "" when that is unknown
 */
public record QueryCall(Service service, String statement, byte[] named, byte[] positional, String clientContextId) {

    /** Who runs statements. */
    public enum Service {
        QUERY(HostFailure.Kind.N1QL_ERROR),
        ANALYTICS(HostFailure.Kind.ANALYTICS_ERROR);

        private final HostFailure.Kind failure;

        Service(HostFailure.Kind failure) {
            this.failure = failure;
        }

        /** Returns the kind of its failures. */
        public HostFailure.Kind failure() {
            return failure;
        }
    }

    /** The rows of a running statement, for the thread that began it. */
    public interface QueryRows {

        /** Returns the next row as JSON, or null at the end, which closes this. */
        byte @Nullable [] next() throws HostFailure;

        /** Returns whether there are no rows, as of most statements that change something. */
        boolean isEmpty();

        /** Stops all reads; may be called more than once. */
        void close();
    }
}
