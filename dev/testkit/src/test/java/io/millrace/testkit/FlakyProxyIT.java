package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.launcher.redis.RedisConsole;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlakyProxyIT {

    private final FlakyProxy proxy = FlakyProxy.to(RedisFixture.host(), RedisFixture.port());
    private final RedisConsole console = new RedisConsole(proxy.redisUrl(), Duration.ofSeconds(5));

    @BeforeEach
    void empty() {
        RedisFixture.flush();
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void forwarding_withoutPlans_changesNothing() throws IOException {
        console.call("SET", "k", "v");

        assertThat(console.call("GET", "k")).isEqualTo("v");
        assertThat(proxy.cuts()).isZero();
    }

    @Test
    void cutBeforeForwarding_dropsOneRequest() throws IOException {
        proxy.cutBeforeForwarding("INCR");

        assertThatThrownBy(() -> console.call("INCR", "n")).isInstanceOf(IOException.class);

        assertThat(console.call("INCR", "n")).isEqualTo("1");
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    @Test
    void cutAfterForwarding_dropsOneResponse() throws IOException {
        proxy.cutAfterForwarding("INCR");
        assertThat(console.call("PING")).isEqualTo("PONG");

        assertThatThrownBy(() -> console.call("INCR", "n")).isInstanceOf(IOException.class);

        assertThat(console.call("INCR", "n")).isEqualTo("2");
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    @Test
    void down_untilUp_refusesConnections() {
        proxy.down();
        assertThat(console.answers()).isFalse();

        proxy.up();
        assertThat(console.answers()).isTrue();
    }
}
