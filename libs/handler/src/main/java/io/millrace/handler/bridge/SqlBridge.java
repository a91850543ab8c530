package io.millrace.handler.bridge;

import io.millrace.handler.HandlerSpec;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.SqlCall;
import io.millrace.json.MalformedJson;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** The functions that {@code sql.js} calls. The script checks the arguments; both use the same names of types. */
record SqlBridge(Guest guest, HandlerSpec spec, HandlerHost host, HostCalls calls) {

    /** The largest integer up to which every one is a number of JavaScript. */
    private static final BigDecimal LARGEST_SAFE = BigDecimal.valueOf((1L << 53) - 1);

    /** The longest time before and after 1970 that a Date can hold, in milliseconds. */
    private static final long MOST_DATE_MILLIS = 8_640_000_000_000_000L;

    Map<String, Object> functions() {
        return Map.of(
                "sql",
                (ProxyExecutable) this::sql,
                "databases",
                ProxyArray.fromArray(spec.databases().toArray()));
    }

    /** Takes binding, statement, and the parameters as an array of name or null, type, value. */
    private Object sql(Value... arguments) {
        Value given = arguments[2];
        List<SqlCall.Parameter> parameters = new ArrayList<>();
        for (long i = 0; i + 2 < given.getArraySize(); i += 3) {
            Value name = given.getArrayElement(i);
            parameters.add(new SqlCall.Parameter(
                    name.isString() ? name.asString() : null,
                    value(given.getArrayElement(i + 1).asString(), given.getArrayElement(i + 2))));
        }
        var call = new SqlCall(arguments[0].asString(), arguments[1].asString(), parameters);
        return switch (calls.call(() -> host.sql(call))) {
            case SqlCall.Answer.Changed changed -> (double) changed.rows();
            case SqlCall.Answer.Rows rows -> shown(rows);
        };
    }

    private static @Nullable Object value(String type, Value value) {
        return switch (type) {
            case "boolean" -> value.asBoolean();
            case "integer" -> (long) value.asDouble();
            case "number" -> value.asDouble();
            case "bigint" -> new BigInteger(value.asString());
            case "text" -> value.asString();
            case "date" -> Instant.ofEpochMilli((long) value.asDouble());
            case "bytes" -> Buffers.bytes(value);
            case "json" -> new SqlCall.Json(value.asString());
            default -> null;
        };
    }

    /** Returns the names of the columns, then the values of all rows, each as its type and the value. */
    private Object shown(SqlCall.Answer.Rows rows) {
        List<Object> cells = new ArrayList<>();
        for (List<@Nullable Object> row : rows.rows()) {
            for (Object cell : row) {
                add(cells, cell);
            }
        }
        return ProxyArray.fromArray(
                ProxyArray.fromArray(rows.columns().toArray()),
                rows.rows().size(),
                ProxyArray.fromArray(cells.toArray()));
    }

    private void add(List<Object> cells, @Nullable Object cell) {
        switch (cell) {
            case null -> add(cells, "null", guest.undefined());
            case Number number -> add(cells, number);
            case Instant time
            when Math.abs(time.getEpochSecond()) <= MOST_DATE_MILLIS / 1000 ->
                add(cells, "date", (double) time.toEpochMilli());
            case byte[] bytes -> add(cells, "plain", guest.arrayBuffer(bytes));
            case SqlCall.Json json -> add(cells, json);
            case List<?> list -> {
                List<Object> elements = new ArrayList<>();
                list.forEach(element -> add(elements, element));
                add(cells, "array", ProxyArray.fromArray(elements.toArray()));
            }
            default -> add(cells, "plain", cell instanceof Boolean ? cell : cell.toString());
        }
    }

    /** An integer that a number cannot hold is a BigInt, and a decimal that it cannot hold is a text. */
    private static void add(List<Object> cells, Number number) {
        if (number instanceof Double || number instanceof Float) {
            add(cells, "plain", Double.parseDouble(number.toString()));
            return;
        }
        BigDecimal exact = new BigDecimal(number.toString());
        double nearest = exact.doubleValue();
        if (exact.stripTrailingZeros().scale() <= 0) {
            boolean safe = exact.abs().compareTo(LARGEST_SAFE) <= 0;
            add(
                    cells,
                    safe ? "plain" : "bigint",
                    safe ? nearest : exact.toBigInteger().toString());
        } else if (BigDecimal.valueOf(nearest).compareTo(exact) == 0) {
            add(cells, "plain", nearest);
        } else {
            add(cells, "plain", exact.toPlainString());
        }
    }

    private void add(List<Object> cells, SqlCall.Json json) {
        try {
            add(cells, "plain", guest.read(json.text().getBytes(StandardCharsets.UTF_8)));
        } catch (MalformedJson e) {
            add(cells, "plain", json.text()); // a database may call a column JSON and not check it
        }
    }

    private static void add(List<Object> cells, String type, Object value) {
        cells.add(type);
        cells.add(value);
    }
}
