package io.millrace.worker.trial;

import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.HostFailure;
import io.millrace.worker.Code;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Collects what OnRequest answers, as its caller would get it. */
final class TrialResponse implements Code.Answer {

    private static final int NOT_FOUND = 404;
    private static final int FAILED = 500;
    private static final int TIMED_OUT = 504;

    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
    private HttpResponse head = HttpResponse.NONE;
    private boolean tooLarge;

    @Override
    public void whole(HttpResponse response) {
        head = response;
        tooLarge = response.body().bytes().length > WorkerProtocolLimits.MAX_HTTP_BODY_BYTES;
        parts.writeBytes(response.body().bytes());
    }

    @Override
    public boolean begin(HttpResponse first) throws HostFailure {
        head = first;
        return part(first.body().bytes());
    }

    @Override
    public boolean part(byte[] bytes) throws HostFailure {
        if (bytes.length > WorkerProtocolLimits.MAX_HTTP_BODY_BYTES
                || parts.size() + bytes.length > WorkerProtocolLimits.MAX_STREAMED_BODY_BYTES) {
            throw HostFailure.eventingError(
                    "OnRequest gave a part of %d bytes after %d; a part has at most %d, a response %d"
                            .formatted(
                                    bytes.length,
                                    parts.size(),
                                    WorkerProtocolLimits.MAX_HTTP_BODY_BYTES,
                                    WorkerProtocolLimits.MAX_STREAMED_BODY_BYTES));
        }
        parts.writeBytes(bytes);
        return true;
    }

    /** Returns whether the body is larger than one that is not given in parts may be. */
    boolean tooLarge() {
        return tooLarge;
    }

    /** Returns {@code status}, {@code headers} with names in lower case, and {@code body} unless it is empty. */
    ObjectNode of(InvocationResult ended) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        int status = switch (ended) {
            case InvocationResult.Success ignored -> tooLarge ? FAILED : head.status();
            case InvocationResult.Skipped ignored -> NOT_FOUND;
            case InvocationResult.TimedOut ignored -> TIMED_OUT;
            default -> FAILED;
        };
        shown.put("status", status);
        if (tooLarge || !(ended instanceof InvocationResult.Success)) {
            return shown;
        }
        if (!head.headers().isEmpty()) {
            ObjectNode headers = shown.putObject("headers");
            for (HttpResponse.Header header : head.headers()) {
                String name = header.name().toLowerCase(Locale.ROOT);
                headers.put(
                        name,
                        headers.has(name) ? headers.path(name).asString() + ", " + header.value() : header.value());
            }
        }
        if (head.body().kind() != HttpBody.Kind.NONE) {
            shown.set("body", body(parts.toByteArray()));
        }
        return shown;
    }

    private JsonNode body(byte[] bytes) {
        return switch (head.body().kind()) {
            case JSON -> Effects.json(bytes);
            case BYTES -> JsonNodeFactory.instance.objectNode().put("binary_bytes", bytes.length);
            default -> JsonNodeFactory.instance.stringNode(new String(bytes, StandardCharsets.UTF_8));
        };
    }
}
