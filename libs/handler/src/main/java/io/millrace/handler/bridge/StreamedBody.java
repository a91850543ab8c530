package io.millrace.handler.bridge;

import io.millrace.handler.ResponseReceiver;
import io.millrace.handler.WebBody;
import io.millrace.handler.WebResponse;
import io.millrace.handler.host.HostFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The body of a response that code gives in parts, by an iterator. */
final class StreamedBody {

    private final Guest guest;
    private final Value parts;

    /** @param parts the functions of {@code bootstrap.js} that ask the iterator */
    StreamedBody(Guest guest, Value parts) {
        this.guest = guest;
        this.parts = parts;
    }

    /**
     * Gives a receiver all parts, or those that it wants. Nothing is sent before there is a first part, so that code which fails
     * before that has an ordinary failure.
     */
    void send(int status, List<WebResponse.Header> headers, ResponseReceiver to) {
        try {
            WebBody first = next();
            boolean wanted = to.begin(new WebResponse(
                    status, headers, first == null ? new WebBody(WebBody.Kind.NONE, new byte[0]) : first));
            for (WebBody part = first; part != null; ) {
                if (!wanted) {
                    parts.invokeMember("stop");
                    return;
                }
                part = next();
                wanted = part != null && to.part(part.bytes());
            }
        } catch (HostFailure failure) {
            throw guest.raise(failure);
        }
    }

    private @Nullable WebBody next() {
        Value part = parts.invokeMember("next");
        if (part.isNull()) {
            return null;
        }
        return part.isString()
                ? new WebBody(WebBody.Kind.TEXT, part.asString().getBytes(StandardCharsets.UTF_8))
                : new WebBody(WebBody.Kind.BYTES, Buffers.bytes(part));
    }
}
