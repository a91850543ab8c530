package io.millrace.metakvservice;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * The body of every answer that is no success.
 *
 * @param error a code to act on
 * @param message what is wrong and what to do, for people
 * @param rev of the entry that was in the way of a conditional write; absent when there is none
 */
record ApiError(
        String error,
        String message,
        int status,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String rev) {

    static ApiError of(HttpStatus status, String error, String message) {
        return new ApiError(error, message, status.value(), null);
    }

    static ApiError conflict(String path, @Nullable String rev) {
        String message = rev == null
                ? "There is no entry at '" + path + "' to change. Add it with If-None-Match: *."
                : "The entry at '" + path + "' is at another rev. Get it and decide again.";
        return new ApiError("conflict", message, HttpStatus.CONFLICT.value(), rev);
    }

    static ResponseStatusException conflict(String message) {
        return new ResponseStatusException(HttpStatus.CONFLICT, message);
    }

    static ResponseStatusException notFound(String message) {
        return new ResponseStatusException(HttpStatus.NOT_FOUND, message);
    }
}
