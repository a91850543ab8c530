package io.millrace.couch;

import io.millrace.access.Subject;
import io.millrace.documents.DocumentStore;
import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * The server without a network. Its filter functions are not JavaScript: a document passes a function whose source is
 * {@code has x} when its text has x, {@code is mine} when it has the name of the user who asks, and {@code broken} does not
 * compile.
 */
final class InProcessCouch implements CouchClient {

    private final CouchServer server;

    InProcessCouch(DocumentStore store) {
        this.server = new CouchServer(store, (kind, source, request) -> compile(source, request));
    }

    private static FilterFunctions.Compiled compile(String source, byte[] request) {
        if (source.equals("is mine")) {
            return passing(
                    JsonMapper.shared().readTree(request).at("/userCtx/name").asString());
        }
        if (!source.startsWith("has ")) {
            throw CouchException.badRequest("does not compile: " + source);
        }
        return passing(source.substring(4));
    }

    private static FilterFunctions.Compiled passing(String wanted) {
        return new FilterFunctions.Compiled() {
            @Override
            public FilterFunctions.Verdict test(byte[] document) {
                boolean passes = new String(document, StandardCharsets.UTF_8).contains(wanted);
                return new FilterFunctions.Verdict(passes, null);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Answer send(String method, String path, String body, String... headers) {
        return send(Subject.open(), method, path, body, headers);
    }

    /** Sends a request of a user. */
    Answer send(Subject subject, String method, String path, String body, String... headers) {
        int mark = path.indexOf('?');
        List<String> segments = Arrays.stream((mark < 0 ? path : path.substring(0, mark)).split("/"))
                .filter(segment -> !segment.isEmpty())
                .map(InProcessCouch::decoded)
                .toList();
        Map<String, String> query = new LinkedHashMap<>();
        for (String parameter :
                mark < 0 ? new String[0] : path.substring(mark + 1).split("&")) {
            int equals = parameter.indexOf('=');
            query.put(decoded(parameter.substring(0, equals)), decoded(parameter.substring(equals + 1)));
        }
        Map<String, String> sent = new HashMap<>();
        if (body != null) {
            sent.put("content-type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            sent.put(headers[i].toLowerCase(Locale.ROOT), headers[i + 1]);
        }
        byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        return answer(server.handle(new CouchRequest(method, segments, query, sent, bytes, subject)));
    }

    /** Sends a request with JSON as everyone may who is let in. */
    static CouchResponse send(
            CouchServer server, String method, List<String> path, Map<String, String> query, String body) {
        return server.handle(new CouchRequest(
                method,
                path,
                query,
                Map.of("content-type", "application/json"),
                body.getBytes(StandardCharsets.UTF_8),
                Subject.open()));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static Answer answer(CouchResponse response) {
        Map<String, String> headers = new HashMap<>();
        response.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
        byte[] body = switch (response) {
            case CouchResponse.Whole whole -> whole.body();
            case CouchResponse.Streamed streamed -> read(streamed.chunks());
        };
        return new Answer(response.status(), new String(body, StandardCharsets.UTF_8), headers);
    }

    private static byte[] read(CouchResponse.Chunks chunks) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (chunks) {
            for (byte[] chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
                all.writeBytes(chunk);
            }
        }
        return all.toByteArray();
    }

    @Override
    public void close() {
        server.close();
    }
}
