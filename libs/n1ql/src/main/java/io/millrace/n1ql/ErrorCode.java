package io.millrace.n1ql;

/** Error and warning codes, with Couchbase's numbers and the HTTP status. */
public enum ErrorCode {
    READONLY(1000, 403, "A request that may only read has a statement that changes something."),
    UNSUPPORTED_METHOD(1010, 405, "The HTTP method is neither GET nor POST."),
    BAD_VALUE(1040, 400, "A field of the request has a value that it cannot have."),
    MISSING_STATEMENT(1050, 400, "The request has neither a statement nor the name of a prepared one."),
    UNKNOWN_PARAMETER(1065, 400, "The request has a field that there is none of."),
    PARAMETER_TYPE(1070, 400, "A field of the request has a value of another type."),
    TIMEOUT(1080, 200, "The statement took longer than its timeout."),
    SYNTAX(3000, 400, "The text is not a statement, or calls a function that does not exist."),
    AMBIGUOUS_REFERENCE(3080, 200, "A name may mean a field of several terms, or there is no term that has fields."),
    DUPLICATE_VARIABLE(3081, 200, "A variable has the name of another one."),
    SEMANTICS(3100, 400, "The text is a statement, but cannot be done as it is written."),
    MERGE_KEY(3150, 400, "The INSERT of a MERGE has a document key and must not, or the other way round."),
    WINDOW(3220, 400, "A window function, or its window, is used where it has no meaning."),
    RECURSION(3300, 400, "A recursive query has a form that it cannot have."),
    RECURSION_ANCHOR(3301, 400, "The first part of a recursive query refers to itself."),
    RECURSION_TWICE(3302, 400, "A recursive query refers to itself more than once."),
    RECURSION_OPTION(3303, 400, "An option of a recursive query has a value that it cannot have."),
    RECURSION_UNSUPPORTED(3304, 400, "A recursive query has a clause that has no meaning round by round."),
    NO_INDEX(4000, 404, "The keyspace has no index that serves the statement; create a primary index."),
    NO_ALIAS(4010, 200, "A term needs an alias."),
    DUPLICATE_ALIAS(4020, 200, "Two terms or results have the same alias."),
    NO_SUCH_PREPARED(4040, 404, "There is no prepared statement of that name."),
    UNRECOGNISABLE_PREPARED(4050, 400, "A statement cannot be prepared under that name, or cannot be run by EXECUTE."),
    NOT_A_GROUP_KEY(4210, 200, "An expression of a grouped query depends on single rows of a group."),
    INDEX_EXISTS(4300, 409, "The keyspace has an index of that name."),
    AMBIGUOUS_META(4310, 200, "META() needs the alias of a document in a query with several terms."),
    INTERNAL(5000, 500, "The engine failed; the log of the service has the cause."),
    EXECUTION_PARAMETER(5003, 400, "The parameters of EXECUTE are given twice, or are neither an array nor an object."),
    EVALUATION(5010, 200, "An expression cannot be computed."),
    ABORT(5011, 200, "The statement has called ABORT()."),
    CANCELLED(5012, 200, "The statement was cancelled."),
    RANGE(5035, 200, "A function got a number that is too large, or would give too large a result."),
    DIVIDE_BY_ZERO(5036, 200, "A warning: a number was divided by zero."),
    SUBQUERY_NEEDS_INDEX(
            5370,
            200,
            "A subquery would scan more than 1,000 documents for each row; create an index for its condition."),
    BAD_KEY(5070, 200, "The key of a document to insert is not a text."),
    BAD_OPTIONS(5071, 200, "The OPTIONS of a document are not an object."),
    BAD_VALUE_TO_STORE(5075, 200, "A document to store is not an object or a value of JSON."),
    KEY_NOT_STRING(5078, 200, "The key of a document is not a text."),
    MERGE_UPDATED_TWICE(5320, 200, "MERGE would change a document more than once."),
    MERGE_INSERTED_TWICE(5330, 200, "MERGE would insert a document more than once."),
    MEMORY(5500, 200, "The statement holds too much memory; ask for fewer rows or fields."),
    KEY_NOT_FOUND(5503, 200, "A warning: there is no document with a key of USE KEYS."),
    FIELD_NOT_SEEN(4997, 200, "A warning: no document that was read has a field, but one of a similar name."),
    INVALID_KEY_WARNING(4998, 200, "A warning: a key of USE KEYS is not a text."),
    IGNORED_WARNING(4999, 200, "A warning: something that was asked for has no effect."),
    FUNCTION_NOT_FOUND(10101, 404, "There is no user-defined function of that name."),
    FUNCTION_EXISTS(10102, 409, "There is a user-defined function of that name."),
    FUNCTION_ARGUMENTS(10104, 400, "A user-defined function was called with another number of arguments."),
    FUNCTION_NAME(10105, 400, "The name of a user-defined function has neither one part nor three."),
    FUNCTION_FAILED(10109, 200, "A user-defined function, or a statement of EVALUATE, failed."),
    KEYSPACE_NOT_FOUND(12003, 424, "There is no such keyspace."),
    INDEX_NOT_FOUND(12016, 404, "There is no such index."),
    BUCKET_NOT_FOUND(12020, 404, "There is no such bucket."),
    SCOPE_NOT_FOUND(12021, 404, "There is no such scope."),
    SCOPE_EXISTS(12025, 409, "There is a scope of that name."),
    KEYSPACE_EXISTS(12027, 409, "There is a bucket or a collection of that name."),
    DML(12009, 200, "The store refused a change, or a document changed while it was being changed."),
    CAS_MISMATCH(12033, 200, "A document is not of the version that a change needs."),
    UNAVAILABLE(12008, 503, "The store does not answer; repeat the request later."),
    NO_CREDENTIALS(13014, 401, "The user lacks a role; the message names it."),
    NO_TRANSACTIONS(
            17001, 400, "A transaction asks for what is not possible; the message says what is. Nothing was written."),
    TRANSACTION_CONFLICT(
            17007, 409, "Other writers kept changing the documents of a transaction; nothing was written."),
    DUPLICATE_KEY(17012, 409, "A document with that key exists."),
    SEQUENCE_NAME(19100, 400, "The name of a sequence has neither one part nor three."),
    SEQUENCE_NOT_FOUND(19101, 404, "There is no such sequence."),
    SEQUENCE_EXISTS(19102, 409, "There is a sequence of that name."),
    SEQUENCE_EXHAUSTED(19103, 200, "A sequence has no value left; CYCLE lets it start again."),
    SEQUENCE_UNUSED(19104, 200, "The process that answers has not given a value of the sequence yet.");

    private final int code;
    private final int httpStatus;
    private final String meaning;

    ErrorCode(int code, int httpStatus, String meaning) {
        this.code = code;
        this.httpStatus = httpStatus;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    /** Returns the HTTP status for an error before the first row. */
    public int httpStatus() {
        return httpStatus;
    }

    /** Returns a sentence that says when it occurs. */
    public String meaning() {
        return meaning;
    }
}
