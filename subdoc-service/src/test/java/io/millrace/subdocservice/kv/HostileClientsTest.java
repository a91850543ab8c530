package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MalformedFrames;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that send malformed, oversized or incomplete frames, or do not read: they get a response or are disconnected, and do
 * not affect other clients. */
class HostileClientsTest {

    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MAX_REQUEST_BYTES = 22 << 20;
    private static final int FUZZ_ROUNDS = 300;
    private static final int FRAMES_A_ROUND = 20;

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final LeakWatch leaks = new LeakWatch();
    private KvKit kit = new KvKit(store, InstantSource.system());

    @BeforeEach
    void createBucket() {
        store.catalog().createBucket("b", 1).join();
    }

    @AfterEach
    void otherClientsAreServed_andNoBufferLeaks() throws IOException {
        try (MemcachedClient good = kit.open("b", KvKit.ALL)) {
            assertThat(good.call(Call.of(Opcode.NOOP)).status()).isEqualTo(Status.SUCCESS);
        }
        await().untilAsserted(() -> assertThat(kit.server.connections()).isZero());
        await().untilAsserted(() -> assertThat(kit.budget.held()).isZero());
        kit.close();
        leaks.close();
    }

    @Test
    void otherProtocol_isDisconnected() throws IOException {
        try (MemcachedClient client = kit.connect()) {
            client.sendRaw("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(closed(client)).isTrue();
        }
    }

    @Test
    void malformedFrameAfterRequests_closesAfterTheirResponses() throws IOException {
        try (MemcachedClient client = kit.open("b")) {
            client.send(Call.of(Opcode.GET, "k"));
            client.send(Call.of(Opcode.NOOP));
            client.sendRaw(new byte[] {0x55, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
            assertThat(client.receive().status()).isEqualTo(Status.KEY_ENOENT);
            assertThat(client.receive().status()).isEqualTo(Status.SUCCESS);
            assertThat(closed(client)).isTrue();
        }
    }

    @Test
    void inconsistentLengths_getAnErrorAndCloseTheConnection() throws IOException {
        try (MemcachedClient client = kit.open("b")) {
            byte[] frame = Call.of(Opcode.GET, "key").frame(77);
            frame[11] = 1;
            client.sendRaw(frame);
            Answer answer = client.receive();
            assertThat(answer.status()).isEqualTo(Status.EINVAL);
            assertThat(answer.opaque()).isEqualTo(77);
            assertThat(closed(client)).isTrue();
        }
    }

    @Test
    void frameOfGigabytes_getsAnErrorAndClosesTheConnection() throws IOException {
        try (MemcachedClient client = kit.open("b")) {
            byte[] frame = Call.of(Opcode.SET, "key").withExtras(new byte[8]).frame(78);
            frame[8] = 0x7f;
            client.sendRaw(frame);
            assertThat(client.receive().status()).isEqualTo(Status.E2BIG);
            assertThat(closed(client)).isTrue();
        }
    }

    @Test
    void largeRequestBeforeTheLogin_occupiesNoMemory() throws IOException {
        byte[] frame =
                Call.of(Opcode.SASL_AUTH, "PLAIN").withValue(new byte[20 << 20]).frame(5);
        try (MemcachedClient stranger = kit.connect()) {
            stranger.sendRaw(Arrays.copyOf(frame, frame.length - 1));
            stranger.sendRaw(Arrays.copyOfRange(frame, frame.length - 1, frame.length));

            assertThat(stranger.receive().status()).isEqualTo(Status.E2BIG);
            assertThat(stranger.call(Call.of(Opcode.NOOP)).status()).isEqualTo(Status.SUCCESS);
        }
    }

    @Test
    void manyLargeRequests_areRejectedBeyondTheBudget() throws IOException {
        List<MemcachedClient> clients = new ArrayList<>();
        byte[] frame = Call.of(Opcode.SET, "k")
                .withExtras(new byte[8])
                .withValue(new byte[20 << 20])
                .frame(1);
        for (int i = 0; i < 6; i++) {
            MemcachedClient client = kit.open("b");
            clients.add(client);
            client.sendRaw(Arrays.copyOf(frame, frame.length - 1));
        }
        await().untilAsserted(() -> assertThat(kit.budget.held()).isBetween(40L << 20, 64L << 20));
        List<Status> answers = new ArrayList<>();
        for (MemcachedClient client : clients) {
            client.sendRaw(Arrays.copyOfRange(frame, frame.length - 1, frame.length));
            answers.add(client.receive().status());
            client.close();
        }
        assertThat(answers).contains(Status.SUCCESS, Status.ETMPFAIL).doesNotContain(Status.EINTERNAL);
    }

    @Test
    void connectionsBeyondTheShareOfAnAddress_areClosed() throws IOException {
        restart(HandshakeTest.settings(false, 6, Duration.ofMinutes(1)));
        List<MemcachedClient> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(kit.open("b"));
        }
        try (MemcachedClient fourth = kit.connect()) {
            assertThat(closed(fourth)).isTrue();
        }
        for (MemcachedClient client : clients) {
            assertThat(client.call(Call.of(Opcode.NOOP)).status()).isEqualTo(Status.SUCCESS);
            client.close();
        }
        await().untilAsserted(() -> assertThat(kit.server.connections()).isZero());
    }

    @Test
    void clientThatDoesNotLogIn_isDisconnected() throws IOException {
        restart(new KvSettings(0, 9, false, SHORT, DAY, DAY, 0));
        try (MemcachedClient silent = kit.connect();
                MemcachedClient in = kit.open("b")) {
            assertThat(closed(silent)).isTrue();
            assertThat(in.call(Call.of(Opcode.NOOP)).status()).isEqualTo(Status.SUCCESS);
        }
    }

    @Test
    void clientThatStopsInARequest_isDisconnected() throws IOException {
        restart(new KvSettings(0, 9, false, DAY, SHORT, DAY, 0));
        try (MemcachedClient slow = kit.open("b");
                MemcachedClient idle = kit.open("b")) {
            slow.sendRaw(Arrays.copyOf(Call.of(Opcode.GET, "k").frame(1), 10));
            assertThat(closed(slow)).isTrue();
            assertThat(idle.call(Call.of(Opcode.NOOP)).status()).isEqualTo(Status.SUCCESS);
        }
    }

    @Test
    void idleClient_isDisconnected() throws IOException {
        restart(new KvSettings(0, 9, false, DAY, Duration.ofSeconds(1), SHORT, 0));
        try (MemcachedClient idle = kit.open("b")) {
            assertThat(closed(idle)).isTrue();
        }
    }

    @Test
    void clientThatDoesNotRead_isDisconnected() throws IOException {
        restart(new KvSettings(0, 9, false, DAY, SHORT, DAY, 0));
        try (MemcachedClient client = kit.open("b")) {
            storeLarge(client);
            for (int i = 0; i < 1000; i++) {
                client.send(Call.of(Opcode.GET, "large"));
            }
            client.flush();
            await().untilAsserted(() -> assertThat(kit.server.connections()).isZero());
        }
    }

    @Test
    void slowReader_getsEverything() throws IOException {
        try (MemcachedClient client = kit.open("b")) {
            storeLarge(client);
            for (int i = 0; i < 300; i++) {
                client.send(Call.of(Opcode.GET, "large"));
            }
            client.flush();
            for (int i = 0; i < 300; i++) {
                assertThat(client.receive().value()).hasSize(1 << 20);
            }
        }
    }

    private static void storeLarge(MemcachedClient client) throws IOException {
        Answer set =
                client.call(Call.of(Opcode.SET, "large").withExtras(new byte[8]).withValue(new byte[1 << 20]));
        assertThat(set.status()).isEqualTo(Status.SUCCESS);
    }

    /** Frames of every opcode with random damage: each gets a response, or the connection is closed. The round is the seed. */
    @Test
    void damagedFrames_getAResponseOrCloseTheConnection() throws IOException {
        for (int round = 0; round < FUZZ_ROUNDS; round++) {
            MalformedFrames frames = new MalformedFrames(round);
            try (MemcachedClient client = frames.oneIn(2) ? kit.open("b", frames.features()) : kit.connect()) {
                for (int i = 0; i < FRAMES_A_ROUND; i++) {
                    client.sendRaw(frames.next());
                }
                client.sendRaw(Call.of(Opcode.QUIT).frame(-1));
                readToTheEnd(client, FRAMES_A_ROUND);
            } catch (SocketException closedWhileSending) {
                assertThat(closedWhileSending).isNotNull();
            }
        }
    }

    private static void readToTheEnd(MemcachedClient client, int sent) throws IOException {
        client.endSending();
        try {
            for (int answers = 0; ; answers++) {
                client.receive();
                assertThat(answers).isLessThanOrEqualTo(sent);
            }
        } catch (EOFException | SocketException end) {
            assertThat(end).isNotNull();
        }
    }

    @Test
    void largestFrame_isAccepted_andALargerOneIsNot() throws IOException {
        try (MemcachedClient client = kit.open("b")) {
            Call set = Call.of(Opcode.SET, "k").withExtras(new byte[8]);
            int rest = MAX_REQUEST_BYTES - 9;
            assertThat(client.call(set.withValue(new byte[rest])).text()).contains("at most");
            assertThat(client.call(set.withValue(new byte[rest + 1])).status()).isEqualTo(Status.E2BIG);
        }
    }

    private void restart(KvSettings settings) {
        kit.close();
        kit = new KvKit(store, InstantSource.system(), settings, KvKit.AT_ONCE);
    }

    /** Waits until the server closes the connection. */
    static boolean closed(MemcachedClient client) throws IOException {
        try {
            client.receive();
            return false;
        } catch (EOFException | SocketException end) {
            return true;
        }
    }
}
