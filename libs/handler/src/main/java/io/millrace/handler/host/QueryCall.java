package io.millrace.handler.host;

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
}
