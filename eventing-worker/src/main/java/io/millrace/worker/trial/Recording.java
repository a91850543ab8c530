package io.millrace.worker.trial;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.SqlCall;
import io.millrace.worker.WorkerLimits;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes calls that change nothing outside and keeps their answers, as {@link Answers} reads them: a call that is made again gets
 * the kept answer. For one thread.
 */
final class Recording {

    /** Methods that ask for nothing but an answer (RFC 9110, section 9.2.1). */
    private static final Set<String> SAFE = Set.of("GET", "HEAD");

    private static final String CONTENT_TYPE = "Content-Type";
    private static final BigDecimal LARGEST_SAFE = BigDecimal.valueOf((1L << 53) - 1);
    private static final JsonMapper JSON = JsonMapper.shared();

    /** A call to the world outside. */
    interface Call<T> {
        T answer() throws HostFailure;
    }

    private final Answers answers;
    private int calls;
    private int bytes;

    // since the last call of moveTo
    private final List<ObjectNode> responses = new ArrayList<>();
    private final List<ObjectNode> sql = new ArrayList<>();
    private final Set<String> leftOut = new TreeSet<>();

    /** @param answers take what is kept */
    Recording(Answers answers) {
        this.answers = answers;
    }

    /** Returns whether a request may be sent. */
    boolean covers(HttpCall call) {
        return SAFE.contains(call.method()) && oneMore(call.method() + ' ' + call.binding() + call.path());
    }

    /** Returns whether a statement may be run, where it can change nothing. */
    boolean covers(SqlCall call) {
        return Answers.reads(call) && oneMore(call.statement());
    }

    private boolean oneMore(String what) {
        boolean one = calls < WorkerLimits.MAX_RECORDED_CALLS;
        if (!one) {
            leaveOut(what, "a dry run makes at most %d calls".formatted(WorkerLimits.MAX_RECORDED_CALLS));
        }
        return one;
    }

    private void leaveOut(String what, String why) {
        if (leftOut.size() < WorkerLimits.MAX_RECORDED_CALLS) {
            leftOut.add(shortened(what) + ": " + why);
        }
    }

    private static String shortened(String what) {
        return what.length() <= WorkerLimits.MAX_LEFT_OUT_CHARS
                ? what
                : what.substring(0, WorkerLimits.MAX_LEFT_OUT_CHARS) + "...";
    }

    /** Sends a request. @param url where it is sent */
    HttpCall.Answer response(HttpCall call, String url, Call<HttpCall.Answer> real) throws HostFailure {
        calls++;
        ObjectNode entry = JsonNodeFactory.instance
                .objectNode()
                .put("method", call.method())
                .put("url", url);
        try {
            HttpCall.Answer answer = real.answer();
            String why = describe(answer, entry);
            keep(entry, call.method() + ' ' + url, why, responses, answers::addResponse);
            return answer;
        } catch (HostFailure failure) {
            entry.put("error", failure.getMessage());
            keep(entry, call.method() + ' ' + url, null, responses, answers::addResponse);
            throw failure;
        }
    }

    /** Runs a statement. */
    SqlCall.Answer sql(SqlCall call, Call<SqlCall.Answer> real) throws HostFailure {
        calls++;
        ObjectNode entry = JsonNodeFactory.instance
                .objectNode()
                .put("binding", call.binding())
                .put("statement", call.statement());
        Effects.parameters(call, entry);
        boolean identified = call.parameters().stream().noneMatch(each -> each.value() instanceof byte[]);
        String unidentified = identified ? null : "a parameter has bytes";
        try {
            SqlCall.Answer answer = real.answer();
            String why = describe(answer, entry);
            keep(entry, call.statement(), unidentified == null ? why : unidentified, sql, answers::addSql);
            return answer;
        } catch (HostFailure failure) {
            entry.putObject("error").put("sqlState", failure.name()).put("message", failure.getMessage());
            keep(entry, call.statement(), unidentified, sql, answers::addSql);
            throw failure;
        }
    }

    /** @param why why the answer cannot be kept, or null */
    private void keep(
            ObjectNode entry, String what, @Nullable String why, List<ObjectNode> kept, Consumer<JsonNode> found) {
        int size = entry.toString().getBytes(StandardCharsets.UTF_8).length;
        if (why != null) {
            leaveOut(what, why);
        } else if (bytes + size > WorkerLimits.MAX_RECORDED_BYTES) {
            leaveOut(what, "the answers of a dry run have at most %d bytes".formatted(WorkerLimits.MAX_RECORDED_BYTES));
        } else {
            bytes += size;
            kept.add(entry);
            found.accept(entry);
        }
    }

    /** Returns why the answer cannot be given again as it was, or null. Cookies are left out: they may be someone's session. */
    private static @Nullable String describe(HttpCall.Answer answer, ObjectNode entry) {
        entry.put("status", answer.status());
        ObjectNode headers = entry.putObject("headers");
        answer.headers().forEach((name, value) -> {
            if (!name.toLowerCase(Locale.ROOT).startsWith("set-cookie")) {
                headers.put(name, value);
            }
        });
        if (answer.body().length == 0) {
            return null;
        }
        if (answer.headers().keySet().stream().noneMatch(CONTENT_TYPE::equalsIgnoreCase)) {
            return "the server does not name the type of the body";
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(answer.body()))
                    .toString();
        } catch (CharacterCodingException binary) {
            return "the body is not text";
        }
        JsonNode json = json(answer.headers(), text);
        if (json.isContainer()) {
            entry.set("body", json);
        } else {
            entry.put("body", text); // a text is given as it is
        }
        return null;
    }

    private static JsonNode json(Map<String, String> headers, String text) {
        boolean typed = headers.entrySet().stream()
                .anyMatch(header -> header.getKey().equalsIgnoreCase(CONTENT_TYPE)
                        && header.getValue().strip().toLowerCase(Locale.ROOT).startsWith("application/json"));
        try {
            return typed ? JSON.readTree(text) : JsonNodeFactory.instance.missingNode();
        } catch (JacksonException notJson) {
            return JsonNodeFactory.instance.missingNode();
        }
    }

    private static @Nullable String describe(SqlCall.Answer answer, ObjectNode entry) {
        if (answer instanceof SqlCall.Answer.Changed changed) {
            entry.put("changed", changed.rows());
            return null;
        }
        SqlCall.Answer.Rows rows = (SqlCall.Answer.Rows) answer;
        ArrayNode shown = entry.putArray("rows");
        Set<String> dates = new TreeSet<>();
        for (List<@Nullable Object> row : rows.rows()) {
            ObjectNode cells = shown.addObject();
            for (int i = 0; i < row.size(); i++) {
                String column = rows.columns().get(i);
                JsonNode cell = cell(row.get(i));
                if (cell == null) {
                    return "the column %s has values that JSON does not".formatted(column);
                }
                if (row.get(i) instanceof Instant) {
                    dates.add(column);
                }
                cells.set(column, cell);
            }
        }
        if (!dates.isEmpty()) {
            dates.forEach(entry.putArray("dates")::add);
        }
        return null;
    }

    /** Returns a value that code gets as it got this one, or null if there is none. */
    private static @Nullable JsonNode cell(@Nullable Object value) {
        return switch (value) {
            case null -> JsonNodeFactory.instance.nullNode();
            case Boolean flag -> JsonNodeFactory.instance.booleanNode(flag);
            case String text -> JsonNodeFactory.instance.stringNode(text);
            case Instant time -> JsonNodeFactory.instance.stringNode(time.toString());
            case SqlCall.Json json -> Effects.json(json.text().getBytes(StandardCharsets.UTF_8));
            case Number number -> number(number);
            default -> null;
        };
    }

    private static @Nullable JsonNode number(Number number) {
        double nearest = number.doubleValue();
        if (!Double.isFinite(nearest)) {
            return null;
        }
        BigDecimal exact = new BigDecimal(number.toString());
        boolean same = number instanceof Double
                || number instanceof Float
                || exact.abs().compareTo(LARGEST_SAFE) <= 0
                        && BigDecimal.valueOf(nearest).compareTo(exact) == 0;
        return same ? JsonNodeFactory.instance.numberNode(exact) : null;
    }

    /** Adds the answers since the last call to what is shown of an invocation. */
    void moveTo(ObjectNode invocation) {
        ObjectNode recorded = invocation.putObject("recorded");
        recorded.putArray("responses").addAll(responses);
        recorded.putArray("sql").addAll(sql);
        leftOut.forEach(recorded.putArray("left_out")::add);
        responses.clear();
        sql.clear();
        leftOut.clear();
    }
}
