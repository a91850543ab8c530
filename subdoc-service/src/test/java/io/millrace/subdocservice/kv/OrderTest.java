package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order in which requests start and get responses, and how many are in flight. Durable writes wait until the test
 * releases them. */
class OrderTest {

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final BlockingQueue<CompletableFuture<Void>> held = new LinkedBlockingQueue<>();
    private final KvKit kit = new KvKit(
            store,
            InstantSource.system(),
            KvKit.SETTINGS,
            level -> CompletableFuture.completedFuture(() -> {
                CompletableFuture<Void> reached = new CompletableFuture<>();
                held.add(reached);
                return reached;
            }));

    @BeforeEach
    void createBucket() {
        store.catalog().createBucket("b", 1).join();
    }

    @AfterEach
    void close() {
        kit.close();
        assertThat(kit.budget.held()).isZero();
    }

    @Test
    void responses_comeInTheOrderOfRequests() throws Exception {
        try (MemcachedClient client = kit.open("b", KvKit.ALL)) {
            int slow = client.send(durableSet());
            int fast = client.send(Call.of(Opcode.GET, "k"));
            client.flush();
            await().until(() -> held.size() == 1);

            letGo();

            assertThat(client.receive().opaque()).isEqualTo(slow);
            assertThat(client.receive().opaque()).isEqualTo(fast);
        }
    }

    @Test
    void responses_comeInAnyOrder_ifNegotiated() throws Exception {
        try (MemcachedClient client =
                kit.open("b", Feature.ALT_REQUEST, Feature.SYNC_REPLICATION, Feature.UNORDERED_EXECUTION)) {
            int slow = client.send(durableSet());
            int fast = client.send(Call.of(Opcode.GET, "k"));
            client.flush();

            assertThat(client.receive().opaque()).isEqualTo(fast);
            letGo();
            assertThat(client.receive().opaque()).isEqualTo(slow);
        }
    }

    @Test
    void manyRequestsAtOnce_areAnsweredInOrder() throws Exception {
        try (MemcachedClient client = kit.open("b", KvKit.ALL)) {
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < 50_000; i++) {
                        client.send(Call.of(i % 2 == 0 ? Opcode.GET : Opcode.NOOP, i % 2 == 0 ? "k" : ""));
                    }
                    client.flush();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            int before = 0;
            for (int i = 0; i < 50_000; i++) {
                int opaque = client.receive().opaque();
                assertThat(opaque).isGreaterThan(before);
                before = opaque;
            }
            assertThat(sender.isAlive()).isFalse();
        }
    }

    @Test
    void requestsInFlight_areLimited() throws Exception {
        try (MemcachedClient client = kit.open("b", KvKit.ALL)) {
            for (int i = 0; i < 100; i++) {
                client.call(Call.of(Opcode.NOOP)); // small responses widen the window
            }
            for (int i = 0; i < 3 * KvLimits.MAX_REQUESTS_IN_FLIGHT; i++) {
                client.send(durableSet());
            }
            client.flush();
            await().until(() -> held.size() == KvLimits.MAX_REQUESTS_IN_FLIGHT);

            for (int i = 0; i < 3 * KvLimits.MAX_REQUESTS_IN_FLIGHT; i++) {
                assertThat(held).hasSizeLessThanOrEqualTo(KvLimits.MAX_REQUESTS_IN_FLIGHT);
                letGo();
                client.receive();
            }
        }
    }

    @Test
    void shutdown_letsBegunRequestsEnd() throws Exception {
        try (MemcachedClient client = kit.open("b", KvKit.ALL)) {
            client.send(durableSet());
            client.flush();
            await().until(() -> held.size() == 1);
            Thread stopping = Thread.ofVirtual().start(kit::close);
            await().until(() -> refused());
            client.send(Call.of(Opcode.NOOP));
            client.flush();

            letGo();

            assertThat(client.receive().status()).isEqualTo(Status.SUCCESS);
            assertThat(HostileClientsTest.closed(client)).isTrue();
            stopping.join();
        }
    }

    private boolean refused() {
        try (MemcachedClient client = kit.connect()) {
            return HostileClientsTest.closed(client);
        } catch (IOException e) {
            return true;
        }
    }

    private static Call durableSet() {
        return Call.of(Opcode.SET, "k").withExtras(new byte[8]).withFrameExtras(0x11, 1);
    }

    private void letGo() throws InterruptedException {
        Objects.requireNonNull(held.poll(20, TimeUnit.SECONDS)).complete(null);
    }
}
