package io.millrace.httpdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class SlowBodiesTest {

    private static final int LIMIT = 1 << 20;
    private static final int RATE = ByteBudgetLimits.MIN_BODY_BYTES_PER_SECOND;
    private static final int PIECES = 20;

    private final AtomicLong nanos = new AtomicLong();
    private final ByteBudget budget = new ByteBudget(LIMIT, Duration.ZERO, 0, nanos::get);

    private void somethingDoesNotFit() {
        assertThat(budget.take(LIMIT + 1, LIMIT + 1)).isFalse();
    }

    private static DataBuffer piece(int bytes) {
        return DefaultDataBufferFactory.sharedInstance.wrap(new byte[bytes]);
    }

    private Mono<Void> read(Flux<DataBuffer> body) {
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.post("/"));
        HeldBytes held = HeldBytes.begin(exchange, budget);
        return DataBufferUtils.join(held.counted(body, -1))
                .doOnNext(DataBufferUtils::release)
                .then()
                .doFinally(end -> held.end());
    }

    /** A body of which a piece comes every second. */
    private Flux<DataBuffer> everySecond(int bytes) {
        return Flux.range(0, PIECES).map(number -> {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            return piece(bytes);
        });
    }

    @Test
    void aSlowBody_whileOthersDoNotFit_isRefusedAndHoldsNothing() {
        somethingDoesNotFit();
        Flux<DataBuffer> body = Flux.concat(Mono.fromSupplier(() -> piece(LIMIT / 2)), everySecond(1));

        assertThatThrownBy(read(body)::block).isInstanceOf(BudgetExceededException.class);
        assertThat(budget.held()).isZero();
    }

    @Test
    void aSlowBody_whileThereIsRoom_isRead() {
        read(everySecond(1)).block();

        assertThat(budget.refused()).isZero();
    }

    @Test
    void aSlowBody_longAfterOthersDidNotFit_isRead() {
        somethingDoesNotFit();
        nanos.addAndGet(ByteBudgetLimits.SHORTAGE.toNanos());

        read(everySecond(1)).block();

        assertThat(budget.held()).isZero();
    }

    @Test
    void aBodyThatKeepsTheRate_whileOthersDoNotFit_isRead() {
        somethingDoesNotFit();

        read(everySecond(RATE)).block();

        assertThat(budget.held()).isZero();
    }
}
