package io.millrace.workerprotocol;

/**
 * @param level {@code ERROR}, {@code WARNING}, {@code INFO}, {@code DEBUG} or {@code TRACE}
 * @param epochMillis when it was written, in milliseconds since 1970
 * @param version the number of the version that wrote it; 0 for the one that is deployed
 * @param about what was handled when it was written
 */
public record LogLine(String level, long epochMillis, String text, long version, About about) {

    /** A line about nothing that was handled. */
    public LogLine(String level, long epochMillis, String text, long version) {
        this(level, epochMillis, text, version, About.NOTHING);
    }

    /** A line of the version that is deployed. */
    public LogLine(String level, long epochMillis, String text) {
        this(level, epochMillis, text, 0);
    }

    /** A line of the version that is deployed. */
    public LogLine(String level, long epochMillis, String text, About about) {
        this(level, epochMillis, text, 0, about);
    }

    /**
     * What a line is about: a document or a stream, as far as it is about one.
     *
     * @param trace the id of the trace of the change that was handled, "" if it is not traced
     * @param scope the scope of the document, "" without one
     * @param collection the collection of the document, "" without one
     * @param id the id of the document, or the name of the stream whose event was handled; "" if it was neither
     */
    public record About(String trace, String scope, String collection, String id) {

        /** What a line is about when nothing was handled. */
        public static final About NOTHING = new About("", "", "", "");

        /** What the lines about an event are about: nothing for timers, messages, requests and deployments. */
        public static About of(Event event, String trace) {
            return switch (event.kind()) {
                case MUTATION, DELETION, EXPIRATION ->
                    event.scope().isEmpty()
                            ? ofTrace(trace)
                            : new About(trace, event.scope(), event.collection(), event.id());
                case APPENDED -> event.ofTopic() ? ofTrace(trace) : new About(trace, "", "", event.id());
                case TIMER -> ofTrace(trace);
            };
        }

        private static About ofTrace(String trace) {
            return trace.isEmpty() ? NOTHING : new About(trace, "", "", "");
        }

        public boolean ofDocument() {
            return !scope.isEmpty();
        }

        public boolean ofStream() {
            return scope.isEmpty() && !id.isEmpty();
        }
    }
}
