package io.millrace.n1ql;

/** Error and warning codes, with Couchbase's numbers and the HTTP status. */
public enum ErrorCode {
    READONLY(1000, 403),
    UNSUPPORTED_METHOD(1010, 405),
    BAD_VALUE(1040, 400),
    MISSING_STATEMENT(1050, 400),
    UNKNOWN_PARAMETER(1065, 400),
    PARAMETER_TYPE(1070, 400),
    TIMEOUT(1080, 200),
    SYNTAX(3000, 400),
    AMBIGUOUS_REFERENCE(3080, 200),
    DUPLICATE_VARIABLE(3081, 200),
    SEMANTICS(3100, 400),
    MERGE_KEY(3150, 400),
    WINDOW(3220, 400),
    RECURSION(3300, 400),
    RECURSION_ANCHOR(3301, 400),
    RECURSION_TWICE(3302, 400),
    RECURSION_OPTION(3303, 400),
    RECURSION_UNSUPPORTED(3304, 400),
    NO_INDEX(4000, 404),
    NO_ALIAS(4010, 200),
    DUPLICATE_ALIAS(4020, 200),
    NO_SUCH_PREPARED(4040, 404),
    UNRECOGNISABLE_PREPARED(4050, 400),
    NOT_A_GROUP_KEY(4210, 200),
    INDEX_EXISTS(4300, 409),
    AMBIGUOUS_META(4310, 200),
    INTERNAL(5000, 500),
    EXECUTION_PARAMETER(5003, 400),
    EVALUATION(5010, 200),
    ABORT(5011, 200),
    CANCELLED(5012, 200),
    RANGE(5035, 200),
    DIVIDE_BY_ZERO(5036, 200),
    SUBQUERY_NEEDS_INDEX(5370, 200),
    BAD_KEY(5070, 200),
    BAD_OPTIONS(5071, 200),
    BAD_VALUE_TO_STORE(5075, 200),
    KEY_NOT_STRING(5078, 200),
    MERGE_UPDATED_TWICE(5320, 200),
    MERGE_INSERTED_TWICE(5330, 200),
    MEMORY(5500, 200),
    KEY_NOT_FOUND(5503, 200),
    INVALID_KEY_WARNING(4998, 200),
    IGNORED_WARNING(4999, 200),
    KEYSPACE_NOT_FOUND(12003, 424),
    INDEX_NOT_FOUND(12016, 404),
    DML(12009, 200),
    CAS_MISMATCH(12033, 200),
    UNAVAILABLE(12008, 503),
    NO_CREDENTIALS(13014, 401),
    NO_TRANSACTIONS(17001, 400),
    DUPLICATE_KEY(17012, 409);

    private final int code;
    private final int httpStatus;

    ErrorCode(int code, int httpStatus) {
        this.code = code;
        this.httpStatus = httpStatus;
    }

    public int code() {
        return code;
    }

    /** Returns the HTTP status for an error before the first row. */
    public int httpStatus() {
        return httpStatus;
    }
}
