package io.millrace.documents.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.resource.ClientResources;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.Write;
import io.millrace.launcher.tls.CertificateAuthority;
import io.millrace.redis.RedisTls;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.observation.LettuceObservationAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import reactor.core.publisher.Mono;

class DocumentsAutoConfigurationIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, DocumentsAutoConfiguration.class));

    @Test
    void store_onTheConfiguredRedis_readsItsWritesAndNotifiesReaders() {
        runner.withPropertyValues("spring.data.redis.url=" + RedisFixture.url()).run(context -> {
            DocumentStore store = context.getBean(DocumentStore.class);
            DocumentKey key = newDocument(store);
            long since = store.highSeqno(key.keyspace().bucket(), 0).join();
            var next = store.changes(key.keyspace().bucket(), 0, since).next(10);

            store.write(Write.upsert(key, bytes("{\"a\":1.0}"))).join();

            assertThat(store.get(key).join().orElseThrow().body()).isEqualTo(bytes("{\"a\":1.0}"));
            assertThat(next).succeedsWithin(PATIENCE);
            assertThat(next.join())
                    .extracting(change -> change.document().key())
                    .containsExactly(key);
        });
    }

    @Test
    void store_overTls_readsItsWritesAndNotifiesReaders(@TempDir Path files) {
        CertificateAuthority authority = CertificateAuthority.create(files);
        CertificateAuthority.Pair service = authority.forUser("service");
        try (OwnRedis redis = OwnRedis.startWithTls(authority)) {
            ApplicationContextRunner overTls = runner.withPropertyValues(
                    "spring.data.redis.url=" + redis.tlsUrl(), "millrace.redis.ca=" + authority.certificate());
            overTls.withPropertyValues(
                            "millrace.redis.certificate=" + service.certificate(),
                            "millrace.redis.key=" + service.key())
                    .run(context -> {
                        DocumentStore store = context.getBean(DocumentStore.class);
                        DocumentKey key = newDocument(store);
                        long since = store.highSeqno(key.keyspace().bucket(), 0).join();
                        var next =
                                store.changes(key.keyspace().bucket(), 0, since).next(10);

                        store.write(Write.upsert(key, bytes("{}"))).join();

                        assertThat(next).succeedsWithin(PATIENCE);
                        assertThat(context.getBean(RedisTls.class).environment())
                                .containsOnlyKeys(
                                        "MILLRACE_REDIS_CA", "MILLRACE_REDIS_CERTIFICATE", "MILLRACE_REDIS_KEY");
                    });
            overTls.run(
                    context -> assertThat(context.getBean(DocumentStore.class).count(Keyspace.of("any")))
                            .as("without a certificate")
                            .failsWithin(PATIENCE)
                            .withThrowableThat()
                            .havingCause()
                            .isInstanceOf(DocumentsException.class));
        }
    }

    @Test
    void certificateWithoutItsKey_preventsTheStart(@TempDir Path files) throws IOException {
        Path file = Files.createFile(files.resolve("certificate"));

        runner.withPropertyValues("millrace.redis.certificate=" + file)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("only MILLRACE_REDIS_CERTIFICATE is set"));
        runner.withPropertyValues("millrace.redis.ca=" + files.resolve("absent"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("MILLRACE_REDIS_CA names")
                        .hasMessageContaining("which cannot be read"));
    }

    @Test
    void expiryPager_dueDocument_leavesItsExpirationInTheFeed() {
        runner.withPropertyValues(
                        "spring.data.redis.url=" + RedisFixture.url(), "millrace.documents.expiry-interval=20ms")
                .run(context -> {
                    DocumentStore store = context.getBean(DocumentStore.class);
                    DocumentKey key = newDocument(store);
                    context.publishEvent(ready(context));

                    store.write(Write.upsert(key, bytes("{}"))
                                    .withExpiry(Expiry.at(Instant.now().minusSeconds(1))))
                            .join();

                    await().atMost(PATIENCE)
                            .until(() -> store.changes(key.keyspace().bucket(), 0, 0).next(10).join().stream()
                                    .map(Mutation::document)
                                    .map(Document::state)
                                    .toList()
                                    .equals(List.of(Document.State.EXPIRED)));
                });
    }

    @Test
    void commands_areNotObserved() {
        runner.withConfiguration(AutoConfigurations.of(LettuceObservationAutoConfiguration.class))
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> {
                    assertThat(context).hasBean("lettuceObservation");
                    assertThat(context.getBean(ClientResources.class).tracing().isEnabled())
                            .isFalse();
                });
    }

    @Test
    void clocks_thatDiffer_areNoticed() {
        runner.withPropertyValues("spring.data.redis.url=" + RedisFixture.url()).run(context -> {
            RedisAccess redis = context.getBean(RedisAccess.class);
            var same = new ClockWatch(redis, InstantSource.system());
            var slow = new ClockWatch(redis, () -> Instant.now().minusSeconds(60));

            assertThat(same.ahead().blockOptional(PATIENCE)).isEmpty();
            assertThat(slow.ahead().blockOptional(PATIENCE))
                    .hasValueSatisfying(
                            ahead -> assertThat(ahead).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(90)));
        });
    }

    @Test
    void health_reportsWhatACrashLoses() {
        runner.withPropertyValues("spring.data.redis.url=" + RedisFixture.url()).run(context -> {
            // a busy machine may need more than one look: each has a limit of its own
            await().atMost(PATIENCE).untilAsserted(() -> {
                Health health = Mono.from(
                                context.getBean(DurabilityHealth.class).health())
                        .blockOptional(PATIENCE)
                        .orElseThrow();

                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails()).containsKeys("appendOnly", "appendFsync", "evictionPolicy", "loss");
            });
        });
    }

    @Test
    void health_withoutARedis_isDownInTime() {
        runner.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1").run(context -> {
            Health health = Mono.from(context.getBean(DurabilityHealth.class).health())
                    .blockOptional(PATIENCE)
                    .orElseThrow();

            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        });
    }

    @Test
    void health_afterEverythingWasDeleted_isDownUntilARestart() {
        try (OwnRedis redis = OwnRedis.startVolatile()) {
            var own = runner.withPropertyValues("spring.data.redis.url=" + redis.url());
            own.run(context -> {
                awaitWrites(context.getBean(WritesHealth.class), Status.UP);
                redis.console().call("FLUSHALL");

                Health emptied = awaitWrites(context.getBean(WritesHealth.class), Status.DOWN);
                assertThat(emptied.getDetails().get("reason")).asString().contains("it was emptied");

                // another service goes on with what is there, which is not what this one knew
                own.run(restarted -> awaitWrites(restarted.getBean(WritesHealth.class), Status.UP));
                awaitWrites(context.getBean(WritesHealth.class), Status.DOWN);
            });
        }
    }

    /** A busy machine may need more than one look: each has a limit of its own. */
    private static Health awaitWrites(WritesHealth writes, Status status) {
        return await().atMost(PATIENCE)
                .until(
                        () -> Mono.from(writes.health()).blockOptional(PATIENCE).orElseThrow(),
                        health -> health.getStatus().equals(status)
                                && health.getDetails().containsKey("usedMemory"));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void durability_afterTheStart_isLogged(CapturedOutput output) {
        runner.withPropertyValues("spring.data.redis.url=" + RedisFixture.url()).run(context -> {
            context.publishEvent(ready(context));

            await().atMost(PATIENCE).until(() -> output.getAll().contains("event=redis_durability appendonly="));
        });
    }

    @Test
    void expiryPager_switchedOff_isAbsent() {
        runner.withPropertyValues("millrace.documents.expiry-pager=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ExpiryPager.class));
    }

    @Test
    void clientOptions_haveOurDefaultsUnlessSpringSetsThem() {
        runner.run(context -> {
            LettuceClientConfiguration client =
                    context.getBean(LettuceConnectionFactory.class).getClientConfiguration();
            assertThat(client.getCommandTimeout()).hasSeconds(10);
            ClientOptions options = client.getClientOptions().orElseThrow();
            assertThat(options.getRequestQueueSize()).isEqualTo(262_144);
            assertThat(options.isUseHashIndexedQueue())
                    .as("answered commands point to the next ones")
                    .isFalse();
        });
        runner.withPropertyValues("spring.data.redis.timeout=3s")
                .run(context -> assertThat(context.getBean(LettuceConnectionFactory.class)
                                .getClientConfiguration()
                                .getCommandTimeout())
                        .hasSeconds(3));
    }

    @Test
    void start_withoutARedis_succeedsAndCallsFailAsUnavailable() {
        runner.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1").run(context -> {
            assertThat(context).hasNotFailed();
            DocumentStore store = context.getBean(DocumentStore.class);

            assertThat(store.catalog().list())
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .havingCause()
                    .matches(failure -> ((DocumentsException) failure).unavailable());
        });
    }

    private static ApplicationReadyEvent ready(ConfigurableApplicationContext context) {
        return new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ZERO);
    }

    private static DocumentKey newDocument(DocumentStore store) {
        String bucket = "auto-" + UUID.randomUUID();
        store.catalog().createBucket(bucket, 1).join();
        return new DocumentKey(Keyspace.of(bucket), "doc");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
