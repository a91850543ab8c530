package io.millrace.httpdoor;

import io.netty.channel.Channel;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import reactor.netty.NettyPipeline;

/** Gives the HTTP server of a service its limits. */
@AutoConfiguration
@EnableConfigurationProperties(HttpDoorLimits.class)
public final class HttpDoorAutoConfiguration {

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> httpDoor(HttpDoorLimits limits) {
        var connections = new ConnectionCount(limits.maxConnections());
        return factory -> factory.addServerCustomizers(
                server -> server.doOnChannelInit((observer, channel, remote) -> guard(channel, connections, limits)));
    }

    private static void guard(Channel channel, ConnectionCount connections, HttpDoorLimits limits) {
        if (connections.add(channel)) {
            RequestDeadlines.guard(channel, NettyPipeline.HttpCodec, limits);
        } else {
            channel.close();
        }
    }
}
