package io.millrace.handler.bridge;

import io.millrace.handler.HandlerSpec;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.HttpCall.UrlEncoding;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** The functions that {@code curl.js} calls. The script checks the arguments; both use the same order. */
record CurlBridge(Guest guest, HandlerSpec spec, HandlerHost host, HostCalls calls) {
    Map<String, Object> functions() {
        return Map.of(
                "curl",
                (ProxyExecutable) this::curl,
                "urls",
                ProxyArray.fromArray(spec.urls().toArray()));
    }

    private Object curl(Value... arguments) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (var header : pairs(arguments[5])) {
            headers.put(header.name(), header.value());
        }
        var call = new HttpCall(
                arguments[0].asString(),
                arguments[1].asString(),
                arguments[2].asString(),
                arguments[3].hasArrayElements() ? pairs(arguments[3]) : null,
                text(arguments[4]),
                headers,
                body(arguments[6]),
                text(arguments[7]),
                arguments[8].asBoolean(),
                arguments[9].asInt(),
                encoding(arguments[10].asString()));
        return shown(calls.call(() -> host.curl(call)));
    }

    private static @Nullable String text(Value value) {
        return value.isString() ? value.asString() : null;
    }

    private static byte @Nullable [] body(Value value) {
        if (value.isString()) {
            return value.asString().getBytes(StandardCharsets.UTF_8);
        }
        return value.hasBufferElements() ? Buffers.bytes(value) : null;
    }

    private static List<HttpCall.Parameter> pairs(Value array) {
        List<HttpCall.Parameter> pairs = new ArrayList<>();
        for (long i = 0; i < array.getArraySize(); i++) {
            var pair = array.getArrayElement(i);
            pairs.add(new HttpCall.Parameter(
                    pair.getArrayElement(0).asString(), pair.getArrayElement(1).asString()));
        }
        return pairs;
    }

    private UrlEncoding encoding(String version) {
        return switch (version) {
            case "6.6.2" -> UrlEncoding.V6_6_2;
            case "7.1.0" -> UrlEncoding.V7_1_0;
            case "7.2.0" -> UrlEncoding.V7_2_0;
            default -> spec.language().urlEncoding();
        };
    }

    /** Returns status, header names, header values, kind of the body, body. */
    private Object shown(HttpCall.Answer answer) {
        var type = answer.headers().entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase("content-type"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("")
                .strip();
        int end = type.indexOf(';');
        var essence = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        var kind = kind(essence, answer.body());
        Object payload = switch (kind) {
            case "empty" -> guest.undefined();
            case "binary" -> guest.arrayBuffer(answer.body());
            default -> new String(answer.body(), charset(type));
        };
        return ProxyArray.fromArray(
                answer.status(),
                ProxyArray.fromArray(answer.headers().keySet().toArray()),
                ProxyArray.fromArray(answer.headers().values().toArray()),
                kind,
                payload);
    }

    private static String kind(String type, byte[] body) {
        if (body.length == 0) {
            return "empty";
        }
        if (type.equals("application/json")) {
            return "json";
        }
        if (type.equals("application/x-www-form-urlencoded")) {
            return "form";
        }
        return type.startsWith("text/") ? "text" : "binary";
    }

    private static Charset charset(String contentType) {
        int at = contentType.toLowerCase(Locale.ROOT).indexOf("charset=");
        if (at < 0) {
            return StandardCharsets.UTF_8;
        }
        var name = contentType
                .substring(at + "charset=".length())
                .split("[;\\s]", 2)[0]
                .replace("\"", "");
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            return StandardCharsets.UTF_8;
        }
    }
}
