package io.millrace.audit;

/**
 * One act, or one attempt.
 *
 * @param kind what was to be done; has the number that Couchbase gives such events, if there is one
 * @param actor who was to do it
 * @param resource what it was to be done with, such as {@code orders:shop} or the name of a function
 * @param outcome what became of it
 * @param reason why it was refused, "" otherwise
 * @param requestId the id of the request, "" for none
 * @param leftOut how many equal refusals this line stands for, because they have no line of their own; 0 for itself only
 */
public record AuditEvent(
        Kind kind, Actor actor, String resource, Outcome outcome, String reason, String requestId, long leftOut) {

    /** Clients choose these texts, and events are kept for a while. */
    public AuditEvent {
        resource = cut(resource);
        reason = cut(reason);
        requestId = cut(requestId);
    }

    private static String cut(String text) {
        return text.length() <= AuditLimits.MAX_TEXT_CHARS
                ? text
                : text.substring(0, AuditLimits.MAX_TEXT_CHARS) + "...";
    }

    /** What became of an act. */
    public enum Outcome {
        /** It is allowed and about to be carried out. */
        ALLOWED,
        /** The actor may not do it. */
        REFUSED
    }

    /**
     * A kind of act.
     *
     * @param id Couchbase's number of such events, 0 where Couchbase has none
     * @param name in lower case with dots, such as {@code function.save}
     */
    public record Kind(int id, String name) {

        /** Returns a kind that Couchbase does not have. */
        public static Kind of(String name) {
            return new Kind(0, name);
        }
    }

    /**
     * Who acts.
     *
     * @param name the name of the user or service
     * @param domain where the name is known: {@code local}, {@code external}, {@code service} or {@code anonymous}
     * @param method how the name was proved: {@code basic}, {@code bearer}, {@code session}, {@code certificate}, {@code
     *     scram}, {@code plain}, {@code service}, or {@code none}
     * @param address from where, such as {@code 10.0.0.7:50312}
     */
    public record Actor(String name, String domain, String method, String address) {
        public Actor {
            name = cut(name);
        }
    }

    /** Returns an allowed act. */
    public static AuditEvent allowed(Kind kind, Actor actor, String resource, String requestId) {
        return new AuditEvent(kind, actor, resource, Outcome.ALLOWED, "", requestId, 0);
    }

    /** Returns a refused attempt. */
    public static AuditEvent refused(Kind kind, Actor actor, String resource, String reason, String requestId) {
        return new AuditEvent(kind, actor, resource, Outcome.REFUSED, reason, requestId, 0);
    }

    /** Returns a copy that stands for a number of equal refusals. */
    AuditEvent withLeftOut(long count) {
        return new AuditEvent(kind, actor, resource, outcome, reason, requestId, count);
    }
}
