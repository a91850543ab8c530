package io.millrace.eventing.language;

import static org.awaitility.Awaitility.await;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.testkit.RedisFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A service with real workers, one for all test classes of a JVM. */
@SpringBootTest(
        classes = HandlerLanguageIT.Fixture.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "millrace.log-dir=target/test-logs",
            "millrace.node-id=language",
            "millrace.eventing.worker-optimized=false",
            "millrace.eventing.worker-heap-mib=192",
            "server.address=127.0.0.1"
        })
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KitService extends KitClient {

    @Autowired
    DocumentStore documents;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void environment(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.url", RedisFixture::url);
        properties.add("millrace.curl.allowed", () -> "127.0.0.1");
        properties.add("millrace.eventing.spare-worker-processes", () -> "0");
        properties.add("millrace.secrets.master-key", () -> "00".repeat(32));
        properties.add(
                "millrace.worker-home",
                () -> WorkerLauncher.developmentHome(Path.of("")).toString());
    }

    @Override
    int port() {
        return port;
    }

    Document awaitDocument(String bucket, String id) {
        DocumentKey key = new DocumentKey(Keyspace.of(bucket), id);
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> documents.get(key).join(), Optional::isPresent)
                .orElseThrow();
    }
}
