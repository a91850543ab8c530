package io.millrace.httpdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class LimitedBodyTest {

    private static final int LIMIT = 4;

    private final AtomicInteger pieces = new AtomicInteger();

    private Flux<DataBuffer> body(int bytes) {
        return Flux.range(0, bytes).map(number -> {
            pieces.incrementAndGet();
            return DefaultDataBufferFactory.sharedInstance.wrap(new byte[] {(byte) (int) number});
        });
    }

    private static byte[] read(MockServerHttpRequest request) {
        Mono<byte[]> read = LimitedBody.read(request, LIMIT, () -> new IllegalArgumentException("too large"));
        return Objects.requireNonNull(read.block());
    }

    @Test
    void bodyUpToTheLimit_isReadWhole() {
        assertThat(read(MockServerHttpRequest.post("/").body(body(LIMIT)))).containsExactly(0, 1, 2, 3);
        assertThat(read(MockServerHttpRequest.get("/").build())).isEmpty();
    }

    @Test
    void announcedLengthBeyondTheLimit_failsBeforeAnythingIsRead() {
        MockServerHttpRequest request =
                MockServerHttpRequest.post("/").contentLength(LIMIT + 1).body(body(LIMIT));

        assertThatThrownBy(() -> read(request)).hasMessage("too large");
        assertThat(pieces).hasValue(0);
    }

    @Test
    void bodyBeyondTheLimit_failsWhenThatIsReached() {
        assertThatThrownBy(() -> read(MockServerHttpRequest.post("/").body(body(100))))
                .hasMessage("too large");
        assertThat(pieces).hasValueLessThan(100);
    }

    @Test
    void countedBody_isHeldByItsExchange() {
        ByteBudget budget = new ByteBudget(LIMIT, Duration.ofMillis(1), 0);
        MockServerWebExchange exchange =
                MockServerWebExchange.from(MockServerHttpRequest.post("/").body(body(LIMIT)));
        HeldBytes.begin(exchange, budget);

        LimitedBody.readCounted(exchange, LIMIT, IllegalArgumentException::new).block();

        assertThat(budget.held()).isEqualTo(LIMIT);
    }
}
