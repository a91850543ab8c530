package io.millrace.subdocservice.http;

import io.millrace.httpdoor.BufferBytes;
import io.millrace.httpdoor.HeldBytes;
import java.util.function.Supplier;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Reads a request's whole body into memory, up to a limit. */
public final class LimitedBody {

    private static final byte[] EMPTY = {};

    private LimitedBody() {}

    /**
     * Returns the bytes of the body, an empty array if there is no body. Fails before reading if Content-Length exceeds the
     * limit, and otherwise as soon as the limit is exceeded, so that memory never holds more than the limit. Fails with
     * {@link io.millrace.httpdoor.BudgetExceededException} if all requests together hold too much.
     *
     * @param tooLarge makes the exception for a body that is too long
     */
    public static Mono<byte[]> read(
            ServerRequest request, int maxBytes, Supplier<? extends RuntimeException> tooLarge) {
        ServerHttpRequest http = request.exchange().getRequest();
        if (http.getHeaders().getContentLength() > maxBytes) {
            return Mono.error(tooLarge);
        }
        return DataBufferUtils.join(HeldBytes.of(request.exchange()).counted(http), maxBytes)
                .map(BufferBytes::take)
                .defaultIfEmpty(EMPTY)
                .onErrorMap(DataBufferLimitException.class, e -> tooLarge.get());
    }
}
