package io.millrace.eventing.http.requests;

import io.millrace.access.IdentityTokens;
import io.millrace.access.Subject;
import io.millrace.problemdetails.JsonMistake;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes of an HTTP request what {@code OnRequest} sees of it. */
final class RequestReader {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** The owner of the function must not get the credentials of its callers. */
    private static final Set<String> KEPT_BACK =
            Set.of("authorization", "proxy-authorization", "cookie", IdentityTokens.HEADER.toLowerCase(Locale.ROOT));

    private static final Set<String> TEXTS = Set.of("xml", "javascript", "x-www-form-urlencoded", "graphql", "yaml");

    /** The byte order mark in UTF-8. */
    private static final byte[] MARK = "\ufeff".getBytes(StandardCharsets.UTF_8);

    private RequestReader() {}

    static HttpRequest read(ServerHttpRequest request, Subject caller, byte[] body) {
        ObjectNode head = JsonNodeFactory.instance.objectNode();
        head.put("method", method(request.getMethod()));
        head.put("path", path(request));
        ArrayNode segments = head.putArray("segments");
        segments(request).stream().filter(segment -> !segment.isEmpty()).forEach(segments::add);
        query(request.getQueryParams(), head.putObject("query"));
        headers(request.getHeaders(), head.putObject("headers"));
        head.put("user", caller.known() && caller.domain() != Subject.Domain.ANONYMOUS ? caller.name() : null);
        return new HttpRequest(
                JSON.writeValueAsBytes(head), body(request.getHeaders().getContentType(), body));
    }

    /** A HEAD is a GET whose response is sent without its body. */
    private static String method(HttpMethod method) {
        return method.equals(HttpMethod.HEAD) ? "GET" : method.name();
    }

    /** Returns what follows {@code /fn/name}, percent-encoded as it was sent. */
    static String path(ServerHttpRequest request) {
        String raw = request.getURI().getRawPath();
        int end = raw.indexOf('/', RequestController.ROOT.length() + 1);
        return end < 0 ? "/" : raw.substring(end);
    }

    /** Returns what is between the slashes of {@link #path}, decoded; also what is empty. */
    static List<String> segments(ServerHttpRequest request) {
        return Arrays.stream(path(request).split("/", -1))
                .skip(1)
                .map(segment -> UriUtils.decode(segment, StandardCharsets.UTF_8))
                .toList();
    }

    private static void query(MultiValueMap<String, @Nullable String> parameters, ObjectNode to) {
        parameters.forEach((name, values) -> {
            if (values.size() == 1) {
                to.put(name, text(values.getFirst()));
            } else {
                ArrayNode all = to.putArray(name);
                values.forEach(value -> all.add(text(value)));
            }
        });
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    private static void headers(HttpHeaders headers, ObjectNode to) {
        headers.forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!KEPT_BACK.contains(lower) && !OtherNodes.isMark(lower)) {
                to.put(lower, String.join(", ", values));
            }
        });
    }

    private static HttpBody body(@Nullable MediaType type, byte[] bytes) {
        if (bytes.length == 0) {
            return new HttpBody(HttpBody.Kind.NONE, bytes);
        }
        if (type == null) {
            return new HttpBody(HttpBody.Kind.BYTES, bytes);
        }
        String subtype = type.getSubtype().toLowerCase(Locale.ROOT);
        if (subtype.equals("json") || subtype.endsWith("+json")) {
            byte[] json = withoutMark(utf8(bytes, type.getCharset()));
            checkJson(json);
            return new HttpBody(HttpBody.Kind.JSON, json);
        }
        if (type.getType().equalsIgnoreCase("text") || TEXTS.contains(subtype) || subtype.endsWith("+xml")) {
            return new HttpBody(HttpBody.Kind.TEXT, utf8(bytes, type.getCharset()));
        }
        return new HttpBody(HttpBody.Kind.BYTES, bytes);
    }

    private static byte[] utf8(byte[] bytes, @Nullable Charset charset) {
        return charset == null || charset.equals(StandardCharsets.UTF_8)
                ? bytes
                : new String(bytes, charset).getBytes(StandardCharsets.UTF_8);
    }

    /** Some clients put a byte order mark before JSON, which a parser may ignore (RFC 8259). */
    private static byte[] withoutMark(byte[] bytes) {
        return Arrays.mismatch(MARK, bytes) == MARK.length
                ? Arrays.copyOfRange(bytes, MARK.length, bytes.length)
                : bytes;
    }

    /** Reads text: of bytes, the parser also takes other encodings than the function does. */
    private static void checkJson(byte[] bytes) {
        try (JsonParser parser = JSON.createParser(StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString())) {
            JsonToken first = parser.nextToken();
            parser.skipChildren();
            if (first == null || parser.nextToken() != null) {
                throw invalid("it must be one value");
            }
        } catch (JacksonException e) {
            throw invalid(JsonMistake.of(e));
        } catch (CharacterCodingException e) {
            throw invalid("it must be in UTF-8, or in the charset that the Content-Type names");
        }
    }

    private static ProblemException invalid(String why) {
        return ProblemException.of(Problem.of(
                HttpStatus.BAD_REQUEST,
                "invalid_json",
                "The Content-Type says that the body is JSON, but it is not: " + why
                        + ". The function was not called."));
    }
}
