package io.millrace.httpdoor;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Merges the small pieces of a body that is read whole. A client decides how long the pieces of its body are, and a piece of one
 * byte costs some hundred as long as it is kept.
 */
final class MergedPieces {

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

    /** Returns what is long enough to be kept as it is. What waits is on the heap and need not be released. */
    private @Nullable DataBuffer add(DataBuffer piece) {
        int bytes = piece.readableByteCount();
        if (pending == null && (bytes >= ByteBudgetLimits.MIN_PIECE_BYTES || bytes == announced)) {
            return piece;
        }
        DataBuffer merged = pending == null
                ? DefaultDataBufferFactory.sharedInstance.allocateBuffer(ByteBudgetLimits.MIN_PIECE_BYTES)
                : pending;
        merged.write(piece);
        DataBufferUtils.release(piece);
        boolean enough = merged.readableByteCount() >= ByteBudgetLimits.MIN_PIECE_BYTES;
        pending = enough ? null : merged;
        return enough ? merged : null;
    }
}
