package io.millrace.subdocservice.rest;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Reads a request's whole body into memory, up to a limit. */
final class LimitedBody {

    private static final byte[] EMPTY = {};

    private LimitedBody() {}

    /**
     * Returns the bytes of the body. Refuses one that says it is too long before any of it is read, and another as soon
     * as it has become too long, so that never more than the limit is kept.
     */
    static Mono<byte[]> read(ServerRequest request, int maxBytes, ApiError tooLarge) {
        ServerHttpRequest http = request.exchange().getRequest();
        if (http.getHeaders().getContentLength() > maxBytes) {
            return Mono.error(() -> refusal(maxBytes, tooLarge));
        }
        return DataBufferUtils.join(http.getBody(), maxBytes)
                .map(LimitedBody::take)
                .defaultIfEmpty(EMPTY)
                .onErrorMap(DataBufferLimitException.class, e -> refusal(maxBytes, tooLarge));
    }

    private static byte[] take(DataBuffer buffer) {
        try {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            return bytes;
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    private static Refusal refusal(int maxBytes, ApiError tooLarge) {
        return Refusal.of(tooLarge, "The body is larger than the limit of %,d bytes.".formatted(maxBytes));
    }
}
