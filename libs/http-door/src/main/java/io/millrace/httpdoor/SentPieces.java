package io.millrace.httpdoor;

import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Responses of pieces that are made one after the other, for clients that may be slow. The server itself asks for up to 128
 * pieces that it has not sent yet.
 */
public final class SentPieces {

    private SentPieces() {}

    /**
     * Completes when everything that has been written to the connection of a response was sent, or the connection is closed.
     * To be awaited before a piece is made.
     */
    public static Mono<Void> await(ServerHttpResponse response) {
        return Mono.create(sink -> {
            if (ServerHttpResponseDecorator.getNativeResponse(response) instanceof HttpServerResponse server) {
                server.withConnection(connection -> RequestDeadlines.whenSent(connection.channel(), sink::success));
            } else {
                sink.success();
            }
        });
    }
}
