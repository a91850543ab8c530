package io.millrace.handler.host;

/**
 * A statement that code runs.
 *
 * @param service who is to run it
 * @param named a JSON object of values by the names of parameters, without their sigils
 * @param positional a JSON array of values
 * @param clientContextId what the code calls the request, otherwise the place that it comes from,
 *     {@code line@function(name)}; "" when that cannot be told
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

        /** Returns what its failures are. */
        public HostFailure.Kind failure() {
            return failure;
        }
    }
}
