package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class OwnRedisIT {

    @Test
    void restart_ofADurableServerAfterKill9_keepsItsWrites() throws IOException {
        try (OwnRedis redis = OwnRedis.startDurable()) {
            String url = redis.url();
            redis.console().call("SET", "k", "v");

            redis.kill9();
            redis.restart();

            assertThat(redis.url()).isEqualTo(url);
            assertThat(redis.console().call("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void startVolatile_twice_startsTwoServers() throws IOException {
        try (OwnRedis one = OwnRedis.startVolatile();
                OwnRedis other = OwnRedis.startVolatile()) {
            one.console().call("SET", "k", "v");

            assertThat(other.console().call("EXISTS", "k")).isEqualTo("0");
        }
    }
}
