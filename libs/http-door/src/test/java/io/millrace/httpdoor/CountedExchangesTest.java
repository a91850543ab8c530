package io.millrace.httpdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class CountedExchangesTest {

    private static final int PIECE = 1_000;

    private final ByteBudget budget = new ByteBudget(3 * PIECE, Duration.ofMillis(1), 0);
    private final List<Long> held = new ArrayList<>();

    private MockServerWebExchange exchange(int pieces) {
        return MockServerWebExchange.from(
                MockServerHttpRequest.post("/").body(Flux.range(0, pieces).map(number -> piece())));
    }

    private static DataBuffer piece() {
        return DefaultDataBufferFactory.sharedInstance.wrap(new byte[PIECE]);
    }

    private Mono<Void> filtered(MockServerWebExchange exchange, WebFilterChain chain) {
        HeldBytes bytes = HeldBytes.begin(exchange, budget);
        return new CountedExchanges().filter(exchange, chain).doFinally(end -> bytes.end());
    }

    private void note() {
        held.add(budget.held());
    }

    @Test
    void bodyOfARequest_isHeldUntilTheExchangeEnds() {
        filtered(
                        exchange(2),
                        counted -> DataBufferUtils.join(counted.getRequest().getBody())
                                .doOnNext(DataBufferUtils::release)
                                .then(Mono.fromRunnable(this::note)))
                .block();

        assertThat(held).containsExactly(2L * PIECE);
        assertThat(budget.held()).isZero();
    }

    @Test
    void bodyThatDoesNotFit_failsAndHoldsNothing() {
        Mono<Void> reading = filtered(
                exchange(4),
                counted -> DataBufferUtils.join(counted.getRequest().getBody())
                        .doOnNext(DataBufferUtils::release)
                        .then());

        assertThatThrownBy(reading::block).isInstanceOf(BudgetExceededException.class);
        assertThat(budget.held()).isZero();
    }

    @Test
    void wholeResponse_isHeldUntilTheExchangeEnds_evenBeyondTheLimit() {
        MockServerWebExchange exchange = exchange(0);

        filtered(
                        exchange,
                        counted -> counted.getResponse()
                                .writeWith(Mono.just(DefaultDataBufferFactory.sharedInstance.wrap(new byte[4 * PIECE])))
                                .then(Mono.fromRunnable(this::note)))
                .block();

        assertThat(held).containsExactly(4L * PIECE);
        assertThat(budget.held()).isZero();
    }

    @Test
    void streamedResponse_holdsItsLatestPiece() {
        MockServerWebExchange exchange = exchange(0);

        filtered(
                        exchange,
                        counted -> counted.getResponse()
                                .writeAndFlushWith(Flux.range(0, 10)
                                        .map(number -> Mono.just(piece()).doFinally(end -> note()))))
                .block();

        assertThat(held).hasSize(10).containsOnly((long) PIECE);
        assertThat(budget.held()).isZero();
    }
}
