package io.millrace.gateway.fastpath;

import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import reactor.netty.NettyPipeline;

/** Puts the fast path in front of the server of the HTTP library. */
@Component
public final class FastPathServer implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private final ObjectProvider<FastPath> paths;
    private final Exchanges exchanges;

    /** @param paths asked when the first client connects: it needs what is not there yet when the server is made */
    FastPathServer(ObjectProvider<FastPath> paths, Exchanges exchanges) {
        this.paths = paths;
        this.exchanges = exchanges;
    }

    /**
     * What happened to a request on the fast path.
     *
     * @param failure what the client has to be told
     * @param beganNanos when it had arrived, by {@link System#nanoTime}
     */
    public record Failed(Throwable failure, long beganNanos) {}

    /** Returns how a request has failed on the fast path, the first time; otherwise null. It must not be passed on once more. */
    public static @Nullable Failed failed(ServerHttpRequest request) {
        return ClientConnection.failed(request);
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(server -> server.doOnChannelInit((observer, channel, remote) -> add(channel)));
    }

    private void add(Channel channel) {
        if (channel.pipeline().context(NettyPipeline.HttpTrafficHandler) != null) {
            channel.pipeline()
                    .addBefore(
                            NettyPipeline.HttpTrafficHandler, null, new ClientConnection(paths.getObject(), exchanges));
        }
    }
}
