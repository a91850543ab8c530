package io.millrace.worker.trial;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.QueryCall;
import io.millrace.handler.host.QueryCall.QueryRows;
import io.millrace.handler.host.SqlCall;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the code gets in place of answers from outside. HTTP requests take the responses in their order; a statement takes the
 * first rows whose text it contains, any number of times, and otherwise runs; one of {@code sql} never runs.
 */
public final class Answers {

    /** An answer that the code got. */
    record Given(HttpCall.Answer answer, boolean assumed) {}

    /** What a statement of {@code sql} got. */
    record GivenSql(SqlCall.Answer answer, boolean assumed) {}

    /** Statements that have rows, by their first word or what they return. */
    private static final Pattern READING =
            Pattern.compile("(?i)^\\s*(select|with|values|table|show|explain|pragma)\\b|\\breturning\\b");

    private record Rows(String matching, List<byte[]> rows) {}

    private final List<JsonNode> responses = new ArrayList<>();
    private final Queue<JsonNode> left = new ArrayDeque<>();
    private final List<Rows> rows = new ArrayList<>();
    private final List<JsonNode> sql = new ArrayList<>();
    private final boolean assuming;

    private Answers(boolean assuming) {
        this.assuming = assuming;
    }

    /**
     * Reads answers.
     *
     * @param given {@code responses}: an array of {@code status}, {@code headers}, {@code body} or {@code error}; {@code
     *     rows}: an array of {@code matching} and {@code rows}; {@code sql}: an array of {@code matching} and {@code rows}, {@code
     *     changed} or {@code error}
     * @param assuming whether a request without a response gets 200 and no body, and a statement of {@code sql} no rows, instead
     *     of an error
     */
    public static Answers of(JsonNode given, boolean assuming) {
        Answers answers = new Answers(assuming);
        given.path("responses").forEach(answers.responses::add);
        given.path("sql").forEach(answers.sql::add);
        for (JsonNode entry : given.path("rows")) {
            List<byte[]> bytes = new ArrayList<>();
            entry.path("rows").forEach(row -> bytes.add(row.toString().getBytes(StandardCharsets.UTF_8)));
            answers.rows.add(new Rows(entry.path("matching").asString(""), bytes));
        }
        answers.reset();
        return answers;
    }

    /** Begins with the first response again. */
    void reset() {
        left.clear();
        left.addAll(responses);
    }

    Given response(HttpCall call) throws HostFailure {
        JsonNode next = left.poll();
        if (next == null) {
            if (!assuming) {
                throw HostFailure.curlError("The test has no response for %s %s; add one to given.responses"
                        .formatted(call.method(), call.binding() + call.path()));
            }
            return new Given(new HttpCall.Answer(200, Map.of(), new byte[0]), true);
        }
        if (next.has("error")) {
            throw HostFailure.curlError(next.path("error").asString());
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> header : next.path("headers").properties()) {
            headers.put(header.getKey(), header.getValue().asString());
        }
        JsonNode body = next.path("body");
        boolean text = body.isString();
        if (!body.isMissingNode() && headers.keySet().stream().noneMatch("content-type"::equalsIgnoreCase)) {
            headers.put("Content-Type", text ? "text/plain" : "application/json");
        }
        String sent = body.isMissingNode() ? "" : text ? body.asString() : body.toString();
        return new Given(
                new HttpCall.Answer(next.path("status").asInt(200), headers, sent.getBytes(StandardCharsets.UTF_8)),
                false);
    }

    GivenSql sql(SqlCall call) throws HostFailure {
        for (JsonNode entry : sql) {
            if (call.statement().contains(entry.path("matching").asString(""))) {
                return new GivenSql(sql(entry), false);
            }
        }
        if (!assuming) {
            throw HostFailure.sqlError(
                    "02000", "The test has no answer for \"%s\"; add one to given.sql".formatted(call.statement()));
        }
        SqlCall.Answer nothing = READING.matcher(call.statement()).find()
                ? new SqlCall.Answer.Rows(List.of(), List.of())
                : new SqlCall.Answer.Changed(0);
        return new GivenSql(nothing, true);
    }

    private static SqlCall.Answer sql(JsonNode entry) throws HostFailure {
        if (entry.has("error")) {
            JsonNode error = entry.path("error");
            throw HostFailure.sqlError(
                    error.path("sqlState").asString("HY000"),
                    error.path("message").asString(""));
        }
        if (entry.has("changed")) {
            return new SqlCall.Answer.Changed(entry.path("changed").asLong());
        }
        Set<String> columns = new LinkedHashSet<>();
        entry.path("rows").forEach(row -> columns.addAll(row.propertyNames()));
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (JsonNode row : entry.path("rows")) {
            List<@Nullable Object> cells = new ArrayList<>();
            columns.forEach(column -> cells.add(new SqlCall.Json(
                    row.path(column).isMissingNode() ? "null" : row.path(column).toString())));
            rows.add(cells);
        }
        return new SqlCall.Answer.Rows(List.copyOf(columns), rows);
    }

    Optional<QueryRows> rows(QueryCall call) {
        return rows.stream()
                .filter(each -> call.statement().contains(each.matching()))
                .findFirst()
                .map(each -> new GivenRows(each.rows()));
    }

    private static final class GivenRows implements QueryRows {

        private final Iterator<byte[]> left;

        GivenRows(List<byte[]> rows) {
            left = rows.iterator();
        }

        @Override
        public byte @Nullable [] next() {
            return left.hasNext() ? left.next() : null;
        }

        @Override
        public boolean isEmpty() {
            return !left.hasNext();
        }

        @Override
        public void close() {
            while (left.hasNext()) {
                left.next();
            }
        }
    }
}
