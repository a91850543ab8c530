package io.millrace.httpdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Flux;

class MergedPiecesTest {

    private final NettyDataBufferFactory buffers = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT);
    private final List<ByteBuf> arrived = new ArrayList<>();
    private final HeldBytes held = HeldBytes.of(MockServerWebExchange.from(MockServerHttpRequest.post("/")));

    private DataBuffer piece(String text) {
        DataBuffer piece = buffers.wrap(text.getBytes(StandardCharsets.UTF_8));
        arrived.add(NettyDataBufferFactory.toByteBuf(piece));
        return piece;
    }

    private List<String> kept(Flux<DataBuffer> body, long announced) {
        return Objects.requireNonNull(held.counted(body, announced)
                .map(piece -> {
                    String text = piece.toString(StandardCharsets.UTF_8);
                    DataBufferUtils.release(piece);
                    return text;
                })
                .collectList()
                .block());
    }

    @Test
    void piecesOfAByte_areKeptAsFewAndReleased() {
        int bytes = 3 * ByteBudgetLimits.MIN_PIECE_BYTES + 1;

        List<String> kept = kept(Flux.range(0, bytes).map(i -> piece(i % 2 == 0 ? "a" : "b")), -1);

        assertThat(kept).hasSize(4);
        assertThat(String.join("", kept)).isEqualTo("ab".repeat(bytes / 2) + "a");
        assertThat(arrived).hasSize(bytes).allMatch(piece -> piece.refCnt() == 0);
    }

    @Test
    void piecesOfAllLengths_canBeJoined() {
        String large = "x".repeat(ByteBudgetLimits.MIN_PIECE_BYTES);
        Flux<DataBuffer> body =
                held.counted(Flux.just(large, "a", "b", large, "c").map(this::piece), -1);

        DataBuffer whole = Objects.requireNonNull(DataBufferUtils.join(body).block());

        assertThat(whole.toString(StandardCharsets.UTF_8)).isEqualTo(large + "ab" + large + "c");
        DataBufferUtils.release(whole);
        assertThat(arrived).allMatch(piece -> piece.refCnt() == 0);
    }

    @Test
    void aLongPiece_isKeptAsItIs_andJoinsAShortOneBefore() {
        String large = "x".repeat(ByteBudgetLimits.MIN_PIECE_BYTES);

        assertThat(kept(Flux.just(large, "a", large, large).map(this::piece), -1))
                .containsExactly(large, "a" + large, large);
        assertThat(arrived).allMatch(piece -> piece.refCnt() == 0);
    }

    @Test
    void aShortBodyInOnePiece_isKeptAsItIs() {
        List<DataBuffer> kept = Objects.requireNonNull(
                held.counted(Flux.just(piece("short")), 5).collectList().block());

        assertThat(kept).hasSize(1);
        assertThat(NettyDataBufferFactory.toByteBuf(kept.getFirst())).isSameAs(arrived.getFirst());
    }

    @Test
    void anEmptyBody_hasNoPiece() {
        assertThat(kept(Flux.empty(), -1)).isEmpty();
    }
}
