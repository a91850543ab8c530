package io.millrace.subdocservice.pools;

import io.millrace.documents.DocumentsException;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Responses of the management API. SDKs tell errors apart by their texts, which therefore are those of Couchbase's REST API. */
final class ManagementAnswers {

    /** The key of an error that is not about one parameter. */
    static final String WHOLE = "_";

    private ManagementAnswers() {}

    static Mono<ServerResponse> json(HttpStatus status, byte[] body) {
        return ServerResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body);
    }

    static Mono<ServerResponse> errors(HttpStatus status, Map<String, String> errors) {
        return json(status, BucketJson.bytes(Map.of("errors", errors)));
    }

    static Mono<ServerResponse> fault(ManagementFault fault) {
        return errors(fault.status(), fault.errors());
    }

    static Mono<ServerResponse> fault(String parameter, HttpStatus status, String message) {
        return errors(status, Map.of(parameter, message));
    }

    /** The response to a request for a bucket that does not exist. */
    static Mono<ServerResponse> noBucket() {
        return ServerResponse.status(HttpStatus.NOT_FOUND)
                .contentType(MediaType.TEXT_PLAIN)
                .bodyValue("Requested resource not found.\r\n");
    }

    /**
     * Returns the response to a failure of the store.
     *
     * @param scope the name of the scope in the request, empty if there is none
     * @param collection the name of the collection in the request, empty if there is none
     */
    static Mono<ServerResponse> failure(DocumentsException failure, String scope, String collection) {
        String message = String.valueOf(failure.getMessage());
        return switch (failure.code()) {
            case BUCKET_NOT_FOUND -> noBucket();
            case BUCKET_EXISTS -> fault("name", HttpStatus.BAD_REQUEST, "Bucket with given name already exists");
            case SCOPE_EXISTS ->
                fault(WHOLE, HttpStatus.BAD_REQUEST, "Scope with name \"%s\" already exists".formatted(scope));
            case COLLECTION_EXISTS ->
                fault(
                        WHOLE,
                        HttpStatus.BAD_REQUEST,
                        "Collection with name \"%s\" in scope \"%s\" already exists".formatted(collection, scope));
            case SCOPE_NOT_FOUND ->
                fault(WHOLE, HttpStatus.NOT_FOUND, "Scope with name \"%s\" is not found".formatted(scope));
            case COLLECTION_NOT_FOUND ->
                fault(
                        WHOLE,
                        HttpStatus.NOT_FOUND,
                        "Collection with name \"%s\" in scope \"%s\" is not found".formatted(collection, scope));
            case SYSTEM_BUCKET -> fault(WHOLE, HttpStatus.FORBIDDEN, message);
            case REFUSED -> later(HttpStatus.INSUFFICIENT_STORAGE, message);
            case UNAVAILABLE, STALE_INCARNATION, OVERLOADED -> later(HttpStatus.SERVICE_UNAVAILABLE, message);
            default -> fault("name", HttpStatus.BAD_REQUEST, message);
        };
    }

    /** The response to a request that may succeed when it is repeated. */
    static Mono<ServerResponse> later(HttpStatus status, String message) {
        return ServerResponse.status(status)
                .header(HttpHeaders.RETRY_AFTER, "1")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(BucketJson.bytes(Map.of("errors", Map.of(WHOLE, message))));
    }
}
