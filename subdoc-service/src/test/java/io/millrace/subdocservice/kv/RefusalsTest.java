package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.audit.AuditEvent;
import io.millrace.audit.AuditEvent.Actor;
import io.millrace.audit.AuditEvent.Outcome;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import io.millrace.memcached.sasl.ScramMechanism;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the audit trail gets about the binary protocol. */
class RefusalsTest {

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final KvKit kit = new KvKit(store, InstantSource.system());
    private final List<AuditEvent> events = new CopyOnWriteArrayList<>();

    @BeforeEach
    void record() {
        store.catalog().createBucket("orders", 1).join();
        kit.audit = event -> {
            events.add(event);
            return CompletableFuture.completedFuture(null);
        };
    }

    @AfterEach
    void close() {
        kit.close();
    }

    @Test
    void refusedRequest_isRecordedWithWhoAndHowAndWhat_butWithoutTheId() throws IOException {
        kit.logins.roles = List.of(Role.parse("data_reader[orders]"));
        try (MemcachedClient client = kit.open("orders", Feature.COLLECTIONS)) {
            Answer read = client.call(Call.of(Opcode.GET).withKey(new byte[] {0, 'm', 'i', 'n', 'e'}));
            Answer written = client.call(Call.of(Opcode.DELETE).withKey(new byte[] {0, 'm', 'i', 'n', 'e'}));

            assertThat(read.status()).isEqualTo(Status.KEY_ENOENT);
            assertThat(written.status()).isEqualTo(Status.EACCESS);
            assertThat(events).hasSize(1);
            AuditEvent event = events.getFirst();
            assertThat(event.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(event.kind().name()).isEqualTo("access.forbidden");
            assertThat(event.actor())
                    .returns("ann", Actor::name)
                    .returns("local", Actor::domain)
                    .returns("scram", Actor::method);
            assertThat(event.actor().address()).startsWith("127.0.0.1:").isNotEqualTo("127.0.0.1:0");
            assertThat(event.resource()).isEqualTo("DELETE orders:_default:_default");
            assertThat(event.reason()).contains("data.write");
            assertThat(event.requestId()).isEqualTo("%08x".formatted(written.opaque()));
            assertThat(event.toString()).doesNotContain("mine");
        }
    }

    @Test
    void bucketThatMayNotBeSelected_isRecorded() throws IOException {
        kit.logins.roles = List.of(Role.parse("data_reader[other]"));
        kit.open("orders").close();

        assertThat(events).hasSize(1).allMatch(event -> event.resource().equals("SELECT_BUCKET"));
        assertThat(events.getFirst().reason()).contains("bucket.access on orders");
    }

    @Test
    void requestWithoutALogin_isRecordedAsThatOfAStranger() throws IOException {
        try (MemcachedClient client = kit.connect()) {
            assertThat(client.call(Call.of(Opcode.GET, "mine")).status()).isEqualTo(Status.EACCESS);
        }

        assertThat(events).hasSize(1).allMatch(event -> event.kind().name().equals("access.unauthorized"));
        assertThat(events.getFirst().actor())
                .returns("anonymous", Actor::name)
                .returns("anonymous", Actor::domain)
                .returns("none", Actor::method);
    }

    @Test
    void failedLogin_isRecordedWithTheNameThatItClaimed() throws IOException {
        try (MemcachedClient client = kit.connect()) {
            assertThat(client.authenticate(ScramMechanism.SCRAM_SHA256, "ann", "wrong-pw"))
                    .isEqualTo(Status.AUTH_ERROR);
            assertThat(client.call(Call.of(Opcode.SASL_AUTH, "GSSAPI")).status())
                    .isEqualTo(Status.AUTH_ERROR);
        }

        assertThat(events).extracting(event -> event.kind().id()).containsExactly(8193, 8193);
        assertThat(events.getFirst().actor())
                .returns("ann", Actor::name)
                .returns("anonymous", Actor::domain)
                .returns("scram", Actor::method);
        assertThat(events.getFirst().reason()).isNotBlank();
        assertThat(events.getLast().actor().name()).isEmpty();
        assertThat(events.toString()).doesNotContain("wrong-pw");
    }

    @Test
    void refusal_isAnsweredAfterItIsRecorded_andEvenIfItCannotBe() throws IOException {
        CompletableFuture<Void> written = new CompletableFuture<>();
        kit.audit = event -> {
            events.add(event);
            return written;
        };
        try (MemcachedClient client = kit.connect()) {
            client.send(Call.of(Opcode.GET, "a"));
            client.send(Call.of(Opcode.NOOP));
            client.flush();
            await().until(() -> !events.isEmpty());

            written.completeExceptionally(new IOException("the disk is full"));

            assertThat(client.receive().status()).isEqualTo(Status.EACCESS);
            assertThat(client.receive().status()).isEqualTo(Status.SUCCESS);
        }
    }
}
