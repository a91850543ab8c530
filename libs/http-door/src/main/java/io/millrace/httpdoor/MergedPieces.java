package io.millrace.httpdoor;

import io.netty.buffer.UnpooledByteBufAllocator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Merges the small pieces of a body that is read whole. A client decides how long the pieces of its body are, and a piece of one
 * byte costs some hundred as long as it is kept.
 */
final class MergedPieces {

    /** On the heap and of no pool: what waits need not be released. */
    private static final NettyDataBufferFactory ON_HEAP =
            new NettyDataBufferFactory(new UnpooledByteBufAllocator(false));

    private final long announced;
    private @Nullable DataBuffer pending;

    private MergedPieces(long announced) {
        this.announced = announced;
    }

    /** @param announced the length of the body in bytes, -1 if it is not known */
    static Flux<DataBuffer> of(Flux<DataBuffer> body, long announced) {
        return Flux.defer(() -> {
            MergedPieces pieces = new MergedPieces(announced);
            return body.<DataBuffer>handle((piece, sink) -> {
                        DataBuffer next = pieces.add(piece);
                        if (next != null) {
                            sink.next(next);
                        }
                    })
                    .concatWith(Mono.defer(() -> Mono.justOrEmpty(pieces.pending)));
        });
    }

    /** Returns what is long enough to be kept as it is. */
    private @Nullable DataBuffer add(DataBuffer piece) {
        int bytes = piece.readableByteCount();
        if (pending == null && (bytes >= ByteBudgetLimits.MIN_PIECE_BYTES || bytes == announced)) {
            return piece;
        }
        DataBuffer merged = pending == null ? like(piece) : pending;
        merged.write(piece);
        DataBufferUtils.release(piece);
        boolean enough = merged.readableByteCount() >= ByteBudgetLimits.MIN_PIECE_BYTES;
        pending = enough ? null : merged;
        return enough ? merged : null;
    }

    /** Returns an empty buffer that can be joined with others of the body: those of Netty are joined with their like alone. */
    private static DataBuffer like(DataBuffer piece) {
        DataBufferFactory factory =
                piece instanceof NettyDataBuffer ? ON_HEAP : DefaultDataBufferFactory.sharedInstance;
        return factory.allocateBuffer(ByteBudgetLimits.MIN_PIECE_BYTES);
    }
}
