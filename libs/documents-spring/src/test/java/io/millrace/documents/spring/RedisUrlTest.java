package io.millrace.documents.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.mock.env.MockEnvironment;

class RedisUrlTest {

    private final MockEnvironment environment = new MockEnvironment();

    private void given(String name, String value) {
        environment.setProperty(name, value);
        new RedisUrl().postProcessEnvironment(environment, new SpringApplication());
    }

    private DataRedisProperties properties() {
        return Binder.get(environment).bindOrCreate("spring.data.redis", DataRedisProperties.class);
    }

    @Test
    void clusterUrl_roundTripsThroughSpringProperties() {
        String url = "redis-cluster://me:p%40ss@a:7000,b:7001/?timeout=3s";

        given("spring.data.redis.url", url);

        assertThat(properties().getUrl()).isEqualTo("redis://me:p%40ss@a:7000/?timeout=3s");
        assertThat(environment.getProperty("spring.data.redis.cluster.nodes")).isEqualTo("a:7000,b:7001");
        assertThat(RedisUrl.of(properties())).isEqualTo(url);
    }

    @Test
    void clusterOverTls_keepsTls() {
        given("spring.data.redis.url", "rediss-cluster://a:7000");

        assertThat(properties().getUrl()).isEqualTo("rediss://a:7000");
        assertThat(RedisUrl.of(properties())).isEqualTo("rediss-cluster://a:7000");
    }

    @Test
    void nodesInSpringProperties_areACluster() {
        environment.setProperty("spring.data.redis.url", "redis://:secret@a:7000");

        given("spring.data.redis.cluster.nodes", "b:7000,c:7000");

        assertThat(RedisUrl.of(properties())).isEqualTo("redis-cluster://:secret@b:7000,c:7000");
    }

    @Test
    void singleRedis_isUnchanged() {
        given("spring.data.redis.url", "redis://a:7000/2");

        assertThat(properties().getCluster()).isNull();
        assertThat(RedisUrl.of(properties())).isEqualTo("redis://a:7000/2");
    }
}
