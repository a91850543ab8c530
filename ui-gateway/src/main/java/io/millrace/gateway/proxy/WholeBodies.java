package io.millrace.gateway.proxy;

import io.millrace.gateway.GatewayException;
import io.millrace.gateway.fastpath.FastPath;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Bodies that wait. Short ones of a known length are sent together with their header. A header on its own is one more call of the system
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

    /**
     * Passes a long body on once its first piece has come. A client that sends none would hold a connection on which the
     * service has no request, and which it closes in the end.
     *
     * @param passing gets the whole body, the first piece included
     */
    static <T> Mono<T> begun(Flux<DataBuffer> body, Function<Flux<DataBuffer>, Mono<T>> passing) {
        return body.switchOnFirst(
                        (first, pieces) -> first.isOnError()
                                ? Mono.<T>error(GatewayException.clientTimeout())
                                : passing.apply(pieces),
                        false) // a response may begin before the body has ended
                .singleOrEmpty()
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
    }
}
