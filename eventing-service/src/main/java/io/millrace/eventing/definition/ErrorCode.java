package io.millrace.eventing.definition;

import java.util.List;

/**
 * The errors of the eventing REST API with their numbers and HTTP statuses. Names and numbers are those of Couchbase,
 * so that existing clients understand them.
 */
public enum ErrorCode {
    ERR_SAVE_APP_PS(5, 500, "The function could not be saved", "retry"),
    ERR_APP_NOT_DEPLOYED(12, 406, "The function is not deployed"),
    ERR_APP_NOT_FOUND_TS(13, 404, "The function does not exist"),
    ERR_READ_REQ(15, 400, "The request body could not be read"),
    ERR_UNMARSHAL_PLD(16, 400, "The request body is not the expected JSON"),
    ERR_SRC_MB_SAME(17, 422, "Source and metadata keyspace are the same"),
    ERR_APP_ALREADY_DEPLOYED(20, 422, "The function is already deployed"),
    ERR_APP_NOT_BOOTSTRAPPED(21, 423, "The function is still being deployed"),
    ERR_APP_NOT_UNDEPLOYED(22, 422, "The function is not undeployed"),
    ERR_PROCESSING_OR_DEPLOYMENT_STATUS_NOT_FOUND(
            23, 400, "deployment_status and processing_status are only valid together"),
    ERR_HANDLER_COMPILATION(27, 422, "The handler code does not compile"),
    ERR_APPNAME_MISMATCH(29, 422, "The name in the path and the name in the body differ"),
    ERR_SAVE_CONFIG(33, 400, "The service configuration could not be saved"),
    // Couchbase answers 500 to these two; 503 tells clients and the gateway that a retry may succeed
    ERR_GET_CONFIG(34, 503, "MetaKV cannot be read now", "retry"),
    ERR_GET_REBALANCE_STATUS(35, 503, "The topology is not known now", "retry"),
    ERR_REBALANCE_OR_FAILOVER_ONGOING(36, 406, "A rebalance or failover is in progress"),
    ERR_INVALID_CONFIG(38, 400, "A setting or a part of the definition is invalid"),
    ERR_APPCODE_SIZE(39, 400, "The handler code is too large"),
    ERR_BUCKET_MISSING(41, 400, "A bucket does not exist"),
    ERR_DEBUGGER_DISABLED(45, 400, "The debugger is disabled"),
    ERR_INTER_FUNCTION_RECURSION(50, 400, "Two functions would write to their common source"),
    ERR_INTER_BUCKET_RECURSION(51, 400, "The writes of functions would form a cycle"),
    ERR_APP_NOT_FOUND(53, 400, "The function does not exist"),
    ERR_METAKV_WRITE_FAILED(54, 503, "MetaKV cannot be written now", "retry"),
    ERR_REQUESTED_OP_FAILED(55, 400, "The operation failed"),
    ERR_COLLECTION_MISSING(56, 400, "A scope or collection does not exist"),
    INTERNAL_SERVER_ERROR(59, 500, "The service failed unexpectedly", "retry"),
    ERR_FORBIDDEN(60, 403, "The request is not allowed"),
    ERR_UNAUTHENTICATED(61, 401, "The request needs a login"),
    ERR_METHOD_NOT_ALLOWED(62, 405, "The path does not support this method"),
    ERR_INVALID_REQUEST(63, 400, "The request is invalid"),
    ERR_APP_PAUSED(64, 422, "The function is paused");

    private final int number;
    private final int httpStatus;
    private final String meaning;
    private final List<String> attributes;

    ErrorCode(int number, int httpStatus, String meaning, String... attributes) {
        this.number = number;
        this.httpStatus = httpStatus;
        this.meaning = meaning;
        this.attributes = List.of(attributes);
    }

    /** Returns the number in the body and in the header {@code status}. */
    public int number() {
        return number;
    }

    public int httpStatus() {
        return httpStatus;
    }

    /** Returns the general meaning of the error; each occurrence adds a description. */
    public String meaning() {
        return meaning;
    }

    /** Returns {@code retry} when the same request may succeed later. */
    public List<String> attributes() {
        return attributes;
    }
}
