package io.millrace.subdocservice.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.value.JsonWriter;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The response to a request as pieces of text: the head, the rows as they are produced, and the rest. Used by one thread at
 * a time.
 */
final class QueryResponse {

    /** A piece is sent when it has this length. */
    private static final int PIECE_BYTES = 16 * 1024;

    private static final int MAX_KIND_CHARS = 20;

    private final QueryRequest request;
    private final long begun;
    private final @Nullable Rows rows;
    private final List<QueryException> errors = new ArrayList<>();
    private byte @Nullable [] beginning;
    private final int httpStatus;
    private long resultBytes;
    private boolean ended;

    private QueryResponse(QueryRequest request, long begun, @Nullable Rows rows, @Nullable QueryException failure) {
        this.request = request;
        this.begun = begun;
        this.rows = rows;
        if (failure != null) {
            errors.add(failure);
        }
        Value first = next();
        httpStatus = errors.isEmpty() ? 200 : errors.getFirst().errorCode().httpStatus();
        beginning = beginning(first);
        if (rows != null) {
            rows.pause(); // the client may take its time
        }
    }

    /**
     * Reads the first row at once, because the HTTP status depends on it, and further rows that are ready: most responses are
     * complete with that.
     */
    static QueryResponse of(QueryRequest request, long begun, Rows rows) {
        return new QueryResponse(request, begun, rows, null);
    }

    static QueryResponse of(QueryRequest request, long begun, QueryException failure) {
        return new QueryResponse(request, begun, null, failure);
    }

    /** Returns the HTTP status: that of the error if there is no row. */
    int httpStatus() {
        return httpStatus;
    }

    /** Returns which right the user lacks, or null if the statement was not refused. */
    @Nullable
    String refusal() {
        return errors.stream()
                .filter(failure -> failure.errorCode() == ErrorCode.NO_CREDENTIALS)
                .map(Throwable::getMessage)
                .findFirst()
                .orElse(null);
    }

    /** Returns the first word of the statement, such as {@code UPDATE}, "" if there is none. */
    String kind() {
        String statement = request.statement();
        if (statement == null) {
            return request.prepared() == null ? "" : "EXECUTE";
        }
        String word = statement.strip().split("[^A-Za-z]", 2)[0];
        return word.length() > MAX_KIND_CHARS ? "" : word.toUpperCase(Locale.ROOT);
    }

    /** Returns the whole response if it is complete, else null; not to be mixed with {@link #piece}. */
    byte @Nullable [] whole() {
        return ended ? beginning : null;
    }

    private @Nullable Value next() {
        if (rows == null) {
            return null;
        }
        try {
            return rows.next();
        } catch (QueryException e) {
            errors.addAll(rows.errors().isEmpty() ? List.of(e) : rows.errors());
            return null;
        }
    }

    private byte[] beginning(@Nullable Value first) {
        JsonWriter out = new JsonWriter();
        head(out);
        if (first == null || rows == null) {
            return end(out);
        }
        row(out, first, true);
        while (rows.ready() && out.length() < PIECE_BYTES) {
            Value row = next();
            if (row == null) {
                return end(out);
            }
            row(out, row, false);
        }
        return out.toBytes();
    }

    /** Returns the next piece, or null after the last one. */
    byte @Nullable [] piece() {
        byte[] piece = nextPiece();
        if (rows != null) {
            rows.pause();
        }
        return piece;
    }

    private byte @Nullable [] nextPiece() {
        byte[] made = beginning;
        if (made != null || ended) {
            beginning = null;
            return made;
        }
        JsonWriter out = new JsonWriter();
        while (out.length() < PIECE_BYTES) {
            Value row = next();
            if (row == null) {
                return end(out);
            }
            row(out, row, false);
        }
        return out.toBytes();
    }

    private void head(JsonWriter out) {
        out.ascii("{\"requestID\":");
        out.string(rows == null ? UUID.randomUUID().toString() : rows.requestId());
        String clientContextId = request.options().clientContextId();
        if (clientContextId != null) {
            out.ascii(",\"clientContextID\":");
            out.string(clientContextId);
        }
        if (request.prepared() != null) {
            out.ascii(",\"prepared\":");
            out.string(request.prepared());
        }
        if (request.signature() && errors.isEmpty()) {
            out.ascii(",\"signature\":{\"*\":\"*\"}");
        }
        out.ascii(",\"results\":[");
    }

    private void row(JsonWriter out, Value row, boolean isFirst) {
        if (!isFirst) {
            out.ascii(",");
        }
        int before = out.length();
        row.write(out);
        resultBytes += out.length() - before;
    }

    private byte[] end(JsonWriter out) {
        ended = true;
        out.ascii("]");
        List<QueryException> warnings = new ArrayList<>(rows == null ? List.of() : rows.warnings());
        request.unheeded().forEach(what -> warnings.add(QueryException.of(ErrorCode.IGNORED_WARNING, what)));
        failures(out, "errors", errors);
        failures(out, "warnings", warnings);
        out.ascii(",\"status\":\"" + status() + "\"");
        if (request.metrics()) {
            metrics(out, warnings);
        }
        if (rows != null && request.profile() != QueryRequest.Profile.OFF) {
            profile(out, rows);
        }
        out.ascii("}\n");
        return out.toBytes();
    }

    private void profile(JsonWriter out, Rows run) {
        Value plan = plan(run);
        if (plan != null) {
            out.ascii(",\"profile\":");
            RunProfile.of(plan, request.profile() == QueryRequest.Profile.TIMINGS)
                    .write(out);
        }
    }

    /** Returns null for a statement that failed because of what its plan needs, such as a parameter. */
    private static @Nullable Value plan(Rows run) {
        try {
            return run.explained();
        } catch (QueryException e) {
            return null;
        }
    }

    private String status() {
        if (errors.isEmpty()) {
            return "success";
        }
        ErrorCode code = errors.getFirst().errorCode();
        return switch (code) {
            case TIMEOUT -> "timeout";
            case CANCELLED -> "stopped";
            case SYNTAX, BAD_VALUE, MISSING_STATEMENT, UNKNOWN_PARAMETER, PARAMETER_TYPE, INTERNAL -> "fatal";
            default -> "errors";
        };
    }

    private void failures(JsonWriter out, String name, List<QueryException> failures) {
        if (failures.isEmpty()) {
            return;
        }
        out.ascii(",\"" + name + "\":[");
        for (int i = 0; i < failures.size(); i++) {
            QueryException failure = failures.get(i);
            out.ascii((i == 0 ? "" : ",") + "{\"code\":" + failure.code() + ",\"msg\":");
            out.string(failure.getMessage());
            if (failure.line() > 0) {
                out.ascii(",\"line\":" + failure.line() + ",\"column\":" + failure.column());
            }
            String statement = request.statement();
            if (statement != null) {
                failure.excerpt(statement).ifPresent(excerpt -> {
                    out.ascii(",\"excerpt\":");
                    out.string(excerpt);
                });
            }
            String reason = failure.reason();
            if (reason != null) {
                byte[] json = reason.getBytes(UTF_8);
                out.ascii(",\"reason\":");
                out.raw(json, 0, json.length);
            }
            if (failure.retry()) {
                out.ascii(",\"retry\":true");
            }
            out.ascii("}");
        }
        out.ascii("]");
    }

    private void metrics(JsonWriter out, List<QueryException> warnings) {
        String elapsed = Durations.format(System.nanoTime() - begun);
        out.ascii(",\"metrics\":{\"elapsedTime\":");
        out.string(elapsed);
        out.ascii(",\"executionTime\":");
        out.string(elapsed);
        out.ascii(",\"resultCount\":" + (rows == null ? 0 : rows.count()));
        out.ascii(",\"resultSize\":" + resultBytes + ",\"serviceLoad\":1");
        if (rows != null && rows.mutations() > 0) {
            out.ascii(",\"mutationCount\":" + rows.mutations());
        }
        if (rows != null && rows.sorted() > 0) {
            out.ascii(",\"sortCount\":" + rows.sorted());
        }
        if (!errors.isEmpty()) {
            out.ascii(",\"errorCount\":" + errors.size());
        }
        if (!warnings.isEmpty()) {
            out.ascii(",\"warningCount\":" + warnings.size());
        }
        out.ascii("}");
    }

    /** Cancels the statement; from any thread. */
    void cancel() {
        if (rows != null) {
            rows.cancel();
        }
    }

    void close() {
        if (rows != null) {
            rows.close();
        }
    }
}
