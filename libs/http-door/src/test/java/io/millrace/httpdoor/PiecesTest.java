package io.millrace.httpdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class PiecesTest {

    private final NettyDataBufferFactory buffers = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT);
    private final MockServerHttpResponse response = new MockServerHttpResponse(buffers);
    private final List<NettyDataBuffer> made = new ArrayList<>();

    private DataBuffer piece(int number) {
        NettyDataBuffer piece = buffers.allocateBuffer(8);
        piece.write(number + ",", StandardCharsets.US_ASCII);
        made.add(piece);
        return piece;
    }

    @Test
    void pieces_areSentInTheirOrder() {
        Pieces.send(response, Flux.range(0, 100).map(this::piece)).block();

        assertThat(response.getBodyAsString().block()).startsWith("0,1,2,").endsWith(",98,99,");
        assertThat(made).noneMatch(NettyDataBuffer::isAllocated);
    }

    @Test
    void piecesThatWaitWhenTheClientDisconnects_areReleased() {
        response.setWriteHandler(body -> Mono.create(sink -> {
            BaseSubscriber<DataBuffer> slow = new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    subscription.request(1);
                }

                @Override
                protected void hookOnNext(DataBuffer piece) {
                    DataBufferUtils.release(piece);
                }
            };
            body.subscribe(slow);
            sink.onDispose(slow);
        }));
        Disposable sending =
                Pieces.send(response, Flux.range(0, 100).map(this::piece)).subscribe();
        assertThat(made).filteredOn(NettyDataBuffer::isAllocated).isNotEmpty();

        sending.dispose();

        assertThat(made).noneMatch(NettyDataBuffer::isAllocated);
    }
}
