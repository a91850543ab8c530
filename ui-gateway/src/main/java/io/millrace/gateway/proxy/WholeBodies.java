package io.millrace.gateway.proxy;

import io.millrace.gateway.fastpath.FastPath;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Short bodies of a known length, which are sent together with their header. A header on its own is one more call of the system
 * here, and one more wake of a thread where it arrives: a large part of what a small request costs. Nor does a client that stays
 * silent within such a body keep a connection to the service, which that would close in the end as one without a request.
 */
final class WholeBodies {

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private WholeBodies() {}

    /** Returns whether a body of this length, known or -1, is short; an empty one needs no care. */
    static boolean isShort(long length) {
        return length > 0 && length <= FastPath.SHORT_BYTES;
    }

    /** Returns whether a response has a short body. */
    static boolean isShort(UpstreamAnswer answer, HttpMethod method) {
        int status = answer.status();
        return !method.equals(HttpMethod.HEAD)
                && status != NO_CONTENT
                && status != NOT_MODIFIED
                && isShort(length(answer.headers().get(HttpHeaderNames.CONTENT_LENGTH)));
    }

    private static long length(@Nullable String header) {
        try {
            return header == null ? -1 : Long.parseLong(header);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static Mono<DataBuffer> of(Flux<DataBuffer> body) {
        return DataBufferUtils.join(body);
    }
}
