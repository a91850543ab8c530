package io.millrace.metakvservice.http;

import io.millrace.documents.DocumentsException;
import io.millrace.httpdoor.BudgetExceededException;
import io.millrace.metakv.MetakvException;
import io.millrace.metakv.MetakvLimits;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import io.millrace.problemdetails.ProblemHandler;
import io.millrace.streams.store.StreamsException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ContentTooLargeException;

/** Maps every failure of this service to its problem: the one table of this edge. */
@Component
@Order(-2) // before the handler of Spring Boot
public final class ErrorTable extends ProblemHandler {

    private static final String CONFLICT = "conflict";
    private static final String NOT_FOUND = "not_found";

    @Override
    protected @Nullable Problem problem(Throwable failure) {
        return switch (failure) {
            case MetakvException known -> metakv(known);
            case DocumentsException known -> documents(known);
            case StreamsException known -> streams(known);
            case DataBufferLimitException tooLarge -> tooLarge();
            case ContentTooLargeException tooLarge -> tooLarge();
            case BudgetExceededException full ->
                Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", BudgetExceededException.MESSAGE);
            default -> null;
        };
    }

    /** Returns the problem of a write whose precondition does not hold; its {@code rev} is that of the entry. */
    public static Problem entryConflict(String path, @Nullable String rev) {
        return rev == null
                ? Problem.of(HttpStatus.CONFLICT, CONFLICT, "There is no entry at '" + path + "'.")
                        .withAction("Add the entry with If-None-Match: *.")
                : Problem.of(HttpStatus.CONFLICT, CONFLICT, "The entry at '" + path + "' has the rev " + rev + ".")
                        .withAction("Read the entry and repeat the change with its new rev.")
                        .with("rev", rev);
    }

    public static ProblemException conflict(String detail) {
        return ProblemException.of(Problem.of(HttpStatus.CONFLICT, CONFLICT, detail));
    }

    public static ProblemException notFound(String detail) {
        return ProblemException.of(Problem.of(HttpStatus.NOT_FOUND, NOT_FOUND, detail));
    }

    /** Returns the failure of a reader whose position is no longer part of the history. */
    public static ProblemException gone(String detail) {
        return ProblemException.of(Problem.of(HttpStatus.GONE, "history_lost", detail));
    }

    private static Problem metakv(MetakvException failure) {
        HttpStatus status = switch (failure.code()) {
            case INVALID_PATH, INVALID_REQUEST -> HttpStatus.BAD_REQUEST;
            case NODE_ID_TAKEN -> HttpStatus.CONFLICT;
            case VALUE_TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
            case TOO_MANY_WATCHERS, UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
            case REFUSED -> HttpStatus.INSUFFICIENT_STORAGE;
            case UNEXPECTED -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
        Problem problem = Problem.of(status, failure.code(), message(failure));
        return failure.code() == MetakvException.Code.NODE_ID_TAKEN
                ? problem.withAction("Start this node with another id.")
                : problem;
    }

    private static Problem documents(DocumentsException failure) {
        if (failure.unavailable()) {
            return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, MetakvException.Code.UNAVAILABLE, message(failure));
        }
        return switch (failure.code()) {
            case REFUSED -> Problem.of(HttpStatus.INSUFFICIENT_STORAGE, MetakvException.Code.REFUSED, message(failure));
            case INVALID_ID -> Problem.of(HttpStatus.BAD_REQUEST, Problem.INVALID_REQUEST, message(failure));
            default -> Problem.of(HttpStatus.INTERNAL_SERVER_ERROR, Problem.INTERNAL, message(failure));
        };
    }

    private static Problem streams(StreamsException failure) {
        HttpStatus status = switch (failure.code()) {
            case NOTHING_TO_WRITE, TOO_MANY_EVENTS, MALFORMED -> HttpStatus.BAD_REQUEST;
            case EVENT_TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
            case ORIGIN_NOT_FOUND -> HttpStatus.GONE;
            case NOT_A_STREAM, MAX_RESYNCS_EXHAUSTED -> HttpStatus.CONFLICT;
            case TOO_MANY_REQUESTS, CORRUPT -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
        return Problem.of(status, failure.code(), message(failure));
    }

    private static Problem tooLarge() {
        return Problem.of(
                HttpStatus.CONTENT_TOO_LARGE,
                MetakvException.Code.VALUE_TOO_LARGE,
                "The body is larger than %d bytes.".formatted(MetakvLimits.MAX_VALUE_BYTES));
    }

    private static String message(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }
}
