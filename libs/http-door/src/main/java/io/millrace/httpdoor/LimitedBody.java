package io.millrace.httpdoor;

import java.util.function.Supplier;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads a request's whole body into memory, up to a limit. Reading fails before it begins if Content-Length exceeds the limit,
 * and otherwise as soon as the limit is exceeded, so that memory never holds more than the limit.
 */
public final class LimitedBody {

    private static final byte[] EMPTY = {};

    private LimitedBody() {}

    /**
     * Returns the bytes of the body, an empty array if there is no body. They are not counted here: for services with
     * {@link CountedExchanges}.
     *
     * @param tooLarge makes the exception for a body that is too long
     */
    public static Mono<byte[]> read(
            ServerHttpRequest request, int maxBytes, Supplier<? extends RuntimeException> tooLarge) {
        return read(request, request.getBody(), maxBytes, tooLarge);
    }

    /**
     * Returns the bytes of the body, an empty array if there is no body, and counts them among those that the exchange holds.
     * Fails with {@link BudgetExceededException} if all requests together hold too much.
     *
     * @param tooLarge makes the exception for a body that is too long
     */
    public static Mono<byte[]> readCounted(
            ServerWebExchange exchange, int maxBytes, Supplier<? extends RuntimeException> tooLarge) {
        ServerHttpRequest request = exchange.getRequest();
        return read(request, HeldBytes.of(exchange).counted(request), maxBytes, tooLarge);
    }

    /**
     * Returns the request with a body that fails above a limit, for readers that ask for a request. Its bytes count among those that
     * the exchange holds.
     *
     * @param tooLarge makes the exception for a body that is too long
     */
    public static ServerRequest limited(
            ServerRequest request, int maxBytes, Supplier<? extends RuntimeException> tooLarge) {
        Mono<DataBuffer> whole = readCounted(request.exchange(), maxBytes, tooLarge)
                .filter(bytes -> bytes.length > 0)
                .map(DefaultDataBufferFactory.sharedInstance::wrap);
        return ServerRequest.from(request).body(whole.flux()).build();
    }

    private static Mono<byte[]> read(
            ServerHttpRequest request,
            Flux<DataBuffer> body,
            int maxBytes,
            Supplier<? extends RuntimeException> tooLarge) {
        if (request.getHeaders().getContentLength() > maxBytes) {
            return Mono.error(tooLarge);
        }
        return DataBufferUtils.join(body, maxBytes)
                .map(BufferBytes::take)
                .defaultIfEmpty(EMPTY)
                .onErrorMap(DataBufferLimitException.class, e -> tooLarge.get());
    }
}
