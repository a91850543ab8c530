package io.millrace.handler.host;

/** Why a {@link HandlerHost} could not do what the code asked for; the code sees it as a JavaScript error. */
public final class HostFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** The JavaScript class of the error. */
    public enum Kind {
        /** The store failed; {@code message} is an object of code, name and desc. */
        KV_ERROR("KVError"),
        /** The code asked for something that is not allowed; {@code message} is a text. */
        EVENTING_ERROR("EventingError"),
        /** An HTTP request has no answer; {@code message} is a text. */
        CURL_ERROR("CurlError"),
        /** A statement for a database failed; {@code message} is a text, {@code sqlState} its SQLSTATE. */
        SQL_ERROR("SqlError"),
        /** A query failed; {@code message} is a text. */
        N1QL_ERROR("N1QLError"),
        /** A statement for the analytics service failed; {@code message} is a text. */
        ANALYTICS_ERROR("AnalyticsError");

        private final String javaScriptClass;

        Kind(String javaScriptClass) {
            this.javaScriptClass = javaScriptClass;
        }

        public String javaScriptClass() {
            return javaScriptClass;
        }
    }

    private final Kind kind;
    private final int code;
    private final String name;
    private final String description;

    private HostFailure(Kind kind, int code, String name, String description) {
        super(description);
        this.kind = kind;
        this.code = code;
        this.name = name;
        this.description = description;
    }

    /**
     * The store failed or refused.
     *
     * @param code the number that code can compare, 272 for a missing key
     * @param name the constant's name, {@code LCB_KEY_ENOENT} for a missing key
     */
    public static HostFailure kvError(int code, String name, String description) {
        return new HostFailure(Kind.KV_ERROR, code, name, description);
    }

    /** The code asked for something that is never allowed. */
    public static HostFailure eventingError(String message) {
        return new HostFailure(Kind.EVENTING_ERROR, 0, "", message);
    }

    /** An HTTP request has no answer. */
    public static HostFailure curlError(String message) {
        return new HostFailure(Kind.CURL_ERROR, 0, "", message);
    }

    /**
     * A statement for a database failed.
     *
     * @param sqlState the five characters of the SQL standard that name the reason
     */
    public static HostFailure sqlError(String sqlState, String message) {
        return new HostFailure(Kind.SQL_ERROR, 0, sqlState, message);
    }

    /** A statement for a service failed. */
    public static HostFailure queryError(QueryCall.Service service, String message) {
        return new HostFailure(service.failure(), 0, "", message);
    }

    public static HostFailure missingKey() {
        return kvError(272, "LCB_KEY_ENOENT", "The document key does not exist on the server");
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the number that a KVError carries; 0 for other kinds. */
    public int code() {
        return code;
    }

    /** Returns what went wrong, in words. */
    public String description() {
        return description;
    }

    /** Returns the constant's name that a KVError carries, or the SQLSTATE of a SqlError; "" for other kinds. */
    public String name() {
        return name;
    }
}
