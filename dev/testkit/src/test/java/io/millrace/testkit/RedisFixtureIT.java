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
    void found_withAGivenUrl_asksNothingElse() {
        try (OwnRedis redis = OwnRedis.startVolatile()) {
            String url = RedisFixture.found(redis.url(), RedisFixtureIT::notAsked, RedisFixtureIT::notAsked);

            assertThat(url).isEqualTo(redis.url());
        }
    }

    @Test
    void found_withAGivenUrlWhereNobodyAnswers_saysSo() {
        assertThatThrownBy(() ->
                        RedisFixture.found("redis://127.0.0.1:1", RedisFixtureIT::notAsked, RedisFixtureIT::notAsked))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("TEST_REDIS_URL is redis://127.0.0.1:1");
    }

    @Test
    void found_whereDockerAnswers_takesTheContainer() {
        assertThat(RedisFixture.found(null, () -> "redis://container:1", RedisFixtureIT::notAsked))
                .isEqualTo("redis://container:1");
    }

    @Test
    void found_withoutDocker_startsOneOfItsOwn() {
        assertThat(RedisFixture.found(" ", () -> null, () -> "redis://own:1")).isEqualTo("redis://own:1");
    }

    private static String notAsked() {
        throw new AssertionError("must not be asked");
    }
}
