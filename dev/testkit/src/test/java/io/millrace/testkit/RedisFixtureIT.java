package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RedisFixtureIT {

    @Test
    void url_calledTwice_isTheSameServer() throws IOException {
        RedisFixture.console().call("SET", "fixture", "here");

        assertThat(RedisFixture.console().call("GET", "fixture")).isEqualTo("here");
        assertThat(RedisFixture.url()).isEqualTo("redis://" + RedisFixture.host() + ":" + RedisFixture.port());
    }

    @Test
    void flush_afterWritesAndFunctions_leavesNothing() throws IOException {
        RedisFixture.console().call("SET", "k", "v");
        RedisFixture.console()
                .call(
                        "FUNCTION",
                        "LOAD",
                        "#!lua name=testkit\nredis.register_function('testkit', function() return 1 end)");

        RedisFixture.flush();

        assertThat(RedisFixture.console().call("DBSIZE")).isEqualTo("0");
        assertThat(RedisFixture.console().call("FUNCTION", "LIST")).isEmpty();
    }

    @Test
    void found_withAGivenUrl_usesIt() {
        try (OwnRedis redis = OwnRedis.startVolatile()) {
            String url = RedisFixture.found(redis.url(), RedisFixtureIT::notCalled, RedisFixtureIT::notCalled);

            assertThat(url).isEqualTo(redis.url());
        }
    }

    @Test
    void found_withAGivenUrlThatDoesNotAnswer_fails() {
        assertThatThrownBy(() ->
                        RedisFixture.found("redis://127.0.0.1:1", RedisFixtureIT::notCalled, RedisFixtureIT::notCalled))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("No Redis answers at TEST_REDIS_URL redis://127.0.0.1:1");
    }

    @Test
    void found_withDocker_usesTheContainer() {
        assertThat(RedisFixture.found(null, () -> "redis://container:1", RedisFixtureIT::notCalled))
                .isEqualTo("redis://container:1");
    }

    @Test
    void found_withoutDocker_startsAServer() {
        assertThat(RedisFixture.found(" ", () -> null, () -> "redis://own:1")).isEqualTo("redis://own:1");
    }

    private static String notCalled() {
        throw new AssertionError("must not be called");
    }
}
