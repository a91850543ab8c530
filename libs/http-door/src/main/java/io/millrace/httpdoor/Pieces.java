package io.millrace.httpdoor;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The pieces of one response that is passed on from another connection, each of which is sent as soon as it has arrived. The
 * server takes up to 32 of them ahead as publishers, and forgets those when the client disconnects: only what it has subscribed to
 * does it release. So the pieces that it has not begun to send are released here.
 */
public final class Pieces {

    private final Set<DataBuffer> waiting = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean ended;

    private Pieces() {}

    /**
     * Sends a body piece by piece. Every piece is released, whether it is sent or not.
     *
     * @param body buffers that have to be released
     */
    public static Mono<Void> send(ServerHttpResponse response, Flux<DataBuffer> body) {
        return Mono.defer(() -> {
            Pieces pieces = new Pieces();
            return response.writeAndFlushWith(body.map(pieces::arrived)).doFinally(end -> pieces.end());
        });
    }

    private synchronized Mono<DataBuffer> arrived(DataBuffer piece) {
        if (ended) {
            DataBufferUtils.release(piece);
            return Mono.empty();
        }
        waiting.add(piece);
        return Mono.fromSupplier(() -> sent(piece));
    }

    /** Returns nothing for a piece that was released. */
    private synchronized @Nullable DataBuffer sent(DataBuffer piece) {
        return waiting.remove(piece) ? piece : null;
    }

    private synchronized void end() {
        ended = true;
        waiting.forEach(DataBufferUtils::release);
        waiting.clear();
    }
}
