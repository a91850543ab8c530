package io.millrace.metakvservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvContract;
import io.millrace.metakv.NodeInfo;
import io.millrace.testkit.RedisFixture;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;

/** The contract through the client, the service as it is shipped, and Redis. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class MetakvOverRedisIT extends MetakvContract {

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.url", RedisFixture::url);
    }

    @LocalServerPort
    private int port;

    @Override
    protected MetakvClient metakv() {
        return MetakvClient.http(URI.create("http://127.0.0.1:" + port));
    }

    @Test
    void node_thatFallsSilentIsForgotten() {
        String id = UUID.randomUUID().toString();

        http().put()
                .uri("/api/v1/nodes/" + id)
                .bodyValue(Map.of("service", "test", "address", "nowhere", "version", "1", "leaseSeconds", 3))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();

        var node = new NodeInfo(id, "test", "nowhere", "1");
        assertThat(metakv().nodes().block()).contains(node);
        await().untilAsserted(() -> assertThat(metakv().nodes().block()).doesNotContain(node));
    }

    @Test
    void health_showsTheMirrorAndTheReadinessOfTheService() {
        http().get()
                .uri("/actuator/health")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.components.mirror.status")
                .isEqualTo("UP");
        http().get()
                .uri("/actuator/health/readiness")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();
        http().get()
                .uri("/actuator/prometheus")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();
    }

    private WebTestClient http() {
        return WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofMinutes(2))
                .build();
    }
}
