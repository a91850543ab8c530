package io.millrace.httpdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class ConnectionCountTest {

    private final ConnectionCount connections = new ConnectionCount(4);
    private final InetAddress one = address("192.0.2.1");
    private final InetAddress two = address("192.0.2.2");
    private final InetAddress three = address("192.0.2.3");

    @Test
    void oneAddress_getsHalf_andAllTogetherTheMaximum() {
        assertThat(connections.enter(one)).isTrue();
        assertThat(connections.enter(one)).isTrue();
        assertThat(connections.enter(one)).isFalse();
        assertThat(connections.enter(two)).isTrue();
        assertThat(connections.enter(two)).isTrue();
        assertThat(connections.enter(three)).isFalse();

        connections.leave(one);

        assertThat(connections.enter(three)).isTrue();
        assertThat(connections.enter(one)).isFalse();
    }

    @Test
    void closedConnection_countsNoMore() {
        var first = new EmbeddedChannel();
        assertThat(connections.add(first)).isTrue();
        assertThat(connections.add(new EmbeddedChannel())).isTrue();
        assertThat(connections.add(new EmbeddedChannel())).isFalse();

        first.close();

        assertThat(connections.add(new EmbeddedChannel())).isTrue();
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
