package io.millrace.httpdoor;

import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;

/**
 * Counts the bodies of all requests and responses of a service that reads and writes them whole: those of requests wait for room
 * as they arrive, and fail with {@link BudgetExceededException} if there is none in time; those of responses count until they
 * have been sent. A service that streams some bodies counts the others itself, with {@link HeldBytes}. A request whose client
 * disconnects ends without an error.
 */
public final class CountedExchanges implements WebFilter, Ordered {

    /** Inside of the filter that returns what an exchange holds. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        HeldBytes held = HeldBytes.of(exchange);
        ServerWebExchange counted = exchange.mutate()
                .request(held.countedRequest(exchange.getRequest()))
                .response(new CountedResponse(exchange.getResponse(), held))
                .build();
        // the client has disconnected: it reads no answer, and the service has not failed
        return chain.filter(counted).onErrorComplete(AbortedException.class);
    }

    private static final class CountedResponse extends ServerHttpResponseDecorator {

        private final HeldBytes held;

        CountedResponse(ServerHttpResponse response, HeldBytes held) {
            super(response);
            this.held = held;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return super.writeWith(
                    body instanceof Mono<? extends DataBuffer> whole
                            ? whole.doOnNext(buffer -> held.hold(buffer.readableByteCount()))
                            : pieces(body, new AtomicLong()));
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
            AtomicLong latest = new AtomicLong();
            return super.writeAndFlushWith(Flux.from(body).map(pieces -> pieces(pieces, latest)));
        }

        /** The next piece is asked for when the one before has been written. */
        private Flux<DataBuffer> pieces(Publisher<? extends DataBuffer> body, AtomicLong latest) {
            return Flux.<DataBuffer>from(body).doOnNext(piece -> {
                long bytes = piece.readableByteCount();
                held.replace(latest.getAndSet(bytes), bytes);
            });
        }
    }
}
