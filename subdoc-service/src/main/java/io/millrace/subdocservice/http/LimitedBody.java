package io.millrace.subdocservice.http;

import io.millrace.httpdoor.HeldBytes;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
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
        return DataBufferUtils.join(counted(request), maxBytes)
                .map(LimitedBody::take)
                .defaultIfEmpty(EMPTY)
                .onErrorMap(DataBufferLimitException.class, e -> tooLarge.get());
    }

    /** Takes each piece from the budget of the service; it is returned when the request has ended. */
    private static Flux<DataBuffer> counted(ServerRequest request) {
        ServerWebExchange exchange = request.exchange();
        HeldBytes held = HeldBytes.of(exchange);
        long announced = exchange.getRequest().getHeaders().getContentLength();
        AtomicLong arrived = new AtomicLong();
        return exchange.getRequest()
                .getBody()
                .concatMap(
                        piece -> {
                            long bytes = piece.readableByteCount();
                            long whole = Math.max(announced, arrived.addAndGet(bytes));
                            return held.take(bytes, whole)
                                    .doOnError(failure -> DataBufferUtils.release(piece))
                                    .doOnCancel(() -> DataBufferUtils.release(piece))
                                    .thenReturn(piece);
                        },
                        1);
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
}
