package io.millrace.worker.trial;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.QueryCall;
import io.millrace.handler.host.QueryCall.QueryRows;
import io.millrace.handler.host.SqlCall;
import io.millrace.worker.curl.Urls;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
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
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the code gets in place of answers from outside. An HTTP request takes the response that names its method and URL, any
 * number of times, and otherwise the next one that names none; a statement takes the first rows whose text it contains, any
 * number of times, and otherwise runs; one of {@code sql} never runs.
 */
public final class Answers {

    /** An answer that the code got. */
    record Given(HttpCall.Answer answer, boolean assumed) {}

    /** What a statement of {@code sql} got. */
    record GivenSql(SqlCall.Answer answer, boolean assumed) {}

    /** Statements that ask for rows, by their first word; the parts of one with {@code WITH} may change something. */
    private static final Pattern QUERY = Pattern.compile("(?i)^\\s*(select|with|values|table|show|explain)\\b");

    /** Other statements that have rows. */
    private static final Pattern ROWS = Pattern.compile("(?i)^\\s*pragma\\b|\\breturning\\b");

    private record Rows(String matching, List<byte[]> rows) {}

    private final List<JsonNode> named = new ArrayList<>();
    private final List<JsonNode> responses = new ArrayList<>();
    private final Queue<JsonNode> left = new ArrayDeque<>();
    private final List<Rows> rows = new ArrayList<>();
    private final List<JsonNode> sql = new ArrayList<>();
    private final boolean assuming;
    private @Nullable Recording recording;

    private Answers(boolean assuming) {
        this.assuming = assuming;
    }

    /**
     * Reads answers.
     *
     * @param given {@code responses}: an array of {@code status}, {@code headers}, {@code body} or {@code error}, some with
     *     {@code method} and {@code url}; {@code rows}: an array of {@code matching} and {@code rows}; {@code sql}: an array of
     *     {@code matching}, or {@code statement} with {@code binding} and the parameters, and {@code rows} with {@code dates},
     *     {@code changed} or {@code error}
     * @param assuming whether a request without a response gets 200 and no body, and a statement of {@code sql} no rows, instead
     *     of an error
     */
    public static Answers of(JsonNode given, boolean assuming) {
        Answers answers = new Answers(assuming);
        given.path("responses").forEach(answers::addResponse);
        given.path("sql").forEach(answers::addSql);
        for (JsonNode entry : given.path("rows")) {
            List<byte[]> bytes = new ArrayList<>();
            entry.path("rows").forEach(row -> bytes.add(row.toString().getBytes(StandardCharsets.UTF_8)));
            answers.rows.add(new Rows(entry.path("matching").asString(""), bytes));
        }
        answers.reset();
        return answers;
    }

    /** Reads answers; what is not given is asked for, where that changes nothing, and given from then on. */
    public static Answers recording(JsonNode given) {
        Answers answers = of(given, true);
        answers.recording = new Recording(answers);
        return answers;
    }

    /** Returns what asks for answers that are not given, or null if nothing does. */
    @Nullable
    Recording recording() {
        return recording;
    }

    /** Begins with the first response again. */
    void reset() {
        left.clear();
        left.addAll(responses);
    }

    void addResponse(JsonNode entry) {
        (entry.has("url") ? named : responses).add(entry);
    }

    void addSql(JsonNode entry) {
        sql.add(entry);
    }

    /**
     * Returns the response that is given for a request, or nothing.
     *
     * @param bindingUrl the URL of its binding
     */
    Optional<Given> response(HttpCall call, String bindingUrl) throws HostFailure {
        JsonNode next =
                named.isEmpty() ? null : named(call, Urls.of(bindingUrl, call).toString());
        if (next == null) {
            next = left.poll();
        }
        return next == null ? Optional.empty() : Optional.of(new Given(answer(next), false));
    }

    private @Nullable JsonNode named(HttpCall call, String url) {
        return named.stream()
                .filter(entry -> entry.path("url").asString("").equals(url)
                        && entry.path("method").asString("GET").equals(call.method()))
                .findFirst()
                .orElse(null);
    }

    /** Returns what a request gets that has no response. */
    Given noResponse(HttpCall call) throws HostFailure {
        if (!assuming) {
            throw HostFailure.curlError("The test has no response for %s %s; add one to given.responses"
                    .formatted(call.method(), call.binding() + call.path()));
        }
        return new Given(new HttpCall.Answer(200, Map.of(), new byte[0]), true);
    }

    private static HttpCall.Answer answer(JsonNode next) throws HostFailure {
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
        return new HttpCall.Answer(next.path("status").asInt(200), headers, sent.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns what is given for a statement of {@code sql}, or nothing. */
    Optional<GivenSql> sql(SqlCall call) throws HostFailure {
        for (JsonNode entry : sql) {
            if (isFor(entry, call)) {
                return Optional.of(new GivenSql(sql(entry), false));
            }
        }
        return Optional.empty();
    }

    /** One with the whole statement is for these parameters only; one with a part of the text is for all. */
    private static boolean isFor(JsonNode entry, SqlCall call) {
        if (!entry.has("statement")) {
            return call.statement().contains(entry.path("matching").asString(""));
        }
        ObjectNode wanted = JsonNodeFactory.instance.objectNode();
        Effects.parameters(call, wanted);
        return call.statement().equals(entry.path("statement").asString(""))
                && call.binding().equals(entry.path("binding").asString(call.binding()))
                && wanted.path("named").toString().equals(entry.path("named").toString())
                && wanted.path("positional")
                        .toString()
                        .equals(entry.path("positional").toString());
    }

    /** Returns whether a statement asks for rows, by its first word. */
    static boolean reads(SqlCall call) {
        return QUERY.matcher(call.statement()).find();
    }

    /** Returns what a statement of {@code sql} gets for which nothing is given. */
    GivenSql noRows(SqlCall call) throws HostFailure {
        if (!assuming) {
            throw HostFailure.sqlError(
                    "02000", "The test has no answer for \"%s\"; add one to given.sql".formatted(call.statement()));
        }
        SqlCall.Answer nothing = reads(call) || ROWS.matcher(call.statement()).find()
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
        List<String> dates =
                entry.path("dates").valueStream().map(JsonNode::asString).toList();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (JsonNode row : entry.path("rows")) {
            List<@Nullable Object> cells = new ArrayList<>();
            for (String column : columns) {
                cells.add(cell(row.path(column), dates.contains(column)));
            }
            rows.add(cells);
        }
        return new SqlCall.Answer.Rows(List.copyOf(columns), rows);
    }

    private static Object cell(JsonNode value, boolean date) throws HostFailure {
        if (!date || !value.isString()) {
            return new SqlCall.Json(value.isMissingNode() ? "null" : value.toString());
        }
        try {
            return Instant.parse(value.asString());
        } catch (DateTimeParseException e) {
            throw HostFailure.sqlError(
                    "22007", "dates names a column with '%s'; give times like 2026-01-01T00:00:00Z".formatted(value));
        }
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
