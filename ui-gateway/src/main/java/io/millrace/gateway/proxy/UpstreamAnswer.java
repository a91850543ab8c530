package io.millrace.gateway.proxy;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClientResponse;

/** The response of a service, whose body has still to be read. */
final class UpstreamAnswer {

    private final HttpClientResponse response;
    private final Connection connection;

    /** Whether the body is read, or will not be. Reading it gives the connection back, or closes it when it ends early. */
    private final AtomicBoolean taken = new AtomicBoolean();

    UpstreamAnswer(HttpClientResponse response, Connection connection) {
        this.response = response;
        this.connection = connection;
    }

    int status() {
        return response.status().code();
    }

    HttpHeaders headers() {
        return response.responseHeaders();
    }

    /** Returns the body, for one subscriber. */
    Flux<DataBuffer> body(NettyDataBufferFactory buffers) {
        return connection
                .inbound()
                .receive()
                .doOnSubscribe(subscription -> taken.set(true))
                .map(content -> buffers.wrap(content.retain()));
    }

    /** Closes the connection if the body was never read. */
    void abandon() {
        if (taken.compareAndSet(false, true)) {
            connection.dispose();
        }
    }
}
