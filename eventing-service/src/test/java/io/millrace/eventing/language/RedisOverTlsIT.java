package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.launcher.tls.CertificateAuthority;
import io.millrace.testkit.OwnRedis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.node.ObjectNode;

/** The service and a real worker process on a Redis that takes TLS, and asks both for a certificate. */
@SpringBootTest(
        classes = HandlerLanguageIT.Fixture.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "millrace.log-dir=target/test-logs",
            "millrace.node-id=tls",
            "millrace.eventing.worker-optimized=false",
            "millrace.eventing.worker-heap-mib=192",
            "millrace.eventing.spare-worker-processes=0",
            "server.address=127.0.0.1"
        })
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisOverTlsIT extends KitClient {

    @Autowired
    private DocumentStore documents;

    @LocalServerPort
    private int port;

    /** Redis ends with the JVM, after the service. */
    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) throws IOException {
        Path files = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "redis-tls");
        CertificateAuthority authority = CertificateAuthority.create(files.toAbsolutePath());
        CertificateAuthority.Pair eventing = authority.forUser("eventing-service");
        OwnRedis redis = OwnRedis.startWithTls(authority);
        properties.add("spring.data.redis.url", redis::tlsUrl);
        properties.add("millrace.redis.ca", () -> authority.certificate().toString());
        properties.add(
                "millrace.redis.certificate", () -> eventing.certificate().toString());
        properties.add("millrace.redis.key", () -> eventing.key().toString());
        properties.add(
                "millrace.worker-home",
                () -> WorkerLauncher.developmentHome(Path.of("")).toString());
    }

    @Override
    int port() {
        return port;
    }

    @Test
    void workerProcess_handlesADocument() {
        documents.catalog().createBucket("tls-src", 1).join();
        documents.catalog().createBucket("tls-dst", 1).join();
        documents.catalog().createBucket("tls-meta", 1).join();
        ObjectNode definition = JSON.createObjectNode()
                .put("appname", "tls")
                .put("appcode", "function OnUpdate(doc, meta) { dst[meta.id] = {twice: 2 * doc.n}; }");
        ObjectNode bindings =
                definition.putObject("depcfg").put("source_bucket", "tls-src").put("metadata_bucket", "tls-meta");
        bindings.putArray("buckets")
                .addObject()
                .put("alias", "dst")
                .put("bucket_name", "tls-dst")
                .put("access", "rw");
        deploy("tls", definition);

        documents
                .write(Write.upsert(
                        new DocumentKey(Keyspace.of("tls-src"), "k"), "{\"n\":21}".getBytes(StandardCharsets.UTF_8)))
                .join();

        DocumentKey copy = new DocumentKey(Keyspace.of("tls-dst"), "k");
        await().atMost(PATIENCE).until(() -> documents.get(copy).join(), Optional::isPresent);
        assertThat(new String(documents.get(copy).join().orElseThrow().body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"twice\":42}");
        undeploy("tls");
    }
}
