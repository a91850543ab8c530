package io.millrace.workerprotocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LinkTest {

    private static final Executor VIRTUAL = Thread::startVirtualThread;

    private LinkServer server;
    private Link worker;
    private Link service;

    @BeforeEach
    void connect() throws IOException {
        server = LinkServer.listen();
        worker = Link.connect(server.socket());
        service = server.accept(Duration.ofSeconds(60));
    }

    @AfterEach
    void close() throws IOException {
        worker.close();
        service.close();
        server.close();
    }

    @Test
    void frames_arriveInOrder() throws IOException {
        for (Frame frame : Frames.samples()) {
            service.send(frame);
        }

        for (Frame frame : Frames.samples()) {
            assertThat(worker.receive()).get().usingRecursiveComparison().isEqualTo(frame);
        }
    }

    @Test
    void largestFrame_passes() throws IOException {
        byte[] body = new byte[WorkerProtocolLimits.MAX_FRAME_BYTES - 100];
        new Random(1).nextBytes(body);
        Frame.Batch largest = new Frame.Batch(1, 0, List.of(Frames.event("a", body, new byte[] {'{', '}'})));

        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> sendUnchecked(service, largest), VIRTUAL);

        Frame.Batch received = (Frame.Batch) worker.receive().orElseThrow();
        assertThat(received.events()).hasSize(1);
        assertThat(received.events().getFirst().body()).isEqualTo(body);
        sent.join();
    }

    @Test
    void frameTooLarge_leavesTheLinkUsable() throws IOException {
        Frame.Batch huge =
                new Frame.Batch(1, 0, List.of(Frames.event("a", new byte[WorkerProtocolLimits.MAX_FRAME_BYTES], null)));

        assertThatThrownBy(() -> service.send(huge)).isInstanceOf(LinkException.class);

        service.send(new Frame.Shutdown());
        assertThat(worker.receive()).contains(new Frame.Shutdown());
    }

    @Test
    void sendersAtTheSameTime_keepTheirOwnOrder() throws Exception {
        List<CompletableFuture<Void>> senders = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int own = thread;
            senders.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 1; i <= 2_000; i++) {
                            sendUnchecked(service, new Frame.Batch(i, own, List.of()));
                        }
                    },
                    VIRTUAL));
        }

        long[] last = new long[4];
        for (int i = 0; i < 8_000; i++) {
            Frame.Batch batch = (Frame.Batch) worker.receive().orElseThrow();
            assertThat(batch.batch()).isEqualTo(last[batch.thread()] + 1);
            last[batch.thread()] = batch.batch();
        }
        CompletableFuture.allOf(senders.toArray(CompletableFuture[]::new)).join();
    }

    @Test
    void peerThatGoesWithoutReading_isSaidToBeGone() throws IOException {
        service.send(new Frame.Shutdown());
        worker.close();

        assertThatThrownBy(service::receive)
                .isInstanceOfSatisfying(
                        LinkException.class, gone -> assertThat(gone.code()).isEqualTo(LinkException.Code.TRUNCATED));
    }

    @Test
    void peerThatCloses_endsTheFrames() throws IOException {
        service.send(new Frame.Shutdown());
        service.close();

        assertThat(worker.receive()).contains(new Frame.Shutdown());
        assertThat(worker.receive()).isEmpty();
    }

    @Test
    void peerThatIsGone_failsTheSender() {
        service.close();

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10; i++) {
                        worker.send(new Frame.Shutdown());
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void ownClose_wakesTheReceiver() {
        CompletableFuture<Void> receiving = CompletableFuture.runAsync(
                () -> {
                    try {
                        worker.receive();
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                VIRTUAL);

        worker.close();

        assertThatThrownBy(receiving::join)
                .cause()
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.code()).isEqualTo(LinkException.Code.CLOSED));
    }

    @Test
    void frameWithoutItsEnd_isTruncated() throws IOException {
        assertRawBytesRefused(new byte[] {0, 0, 0, 9, 1, 2}, LinkException.Code.TRUNCATED);
        assertRawBytesRefused(new byte[] {0, 0}, LinkException.Code.TRUNCATED);
    }

    @Test
    void lengthBeyondTheLimit_isRefused() throws IOException {
        assertRawBytesRefused(new byte[] {0x7f, 0, 0, 0, 1}, LinkException.Code.TOO_LARGE);
        assertRawBytesRefused(new byte[] {-1, 0, 0, 0, 1}, LinkException.Code.MALFORMED);
        assertRawBytesRefused(new byte[] {0, 0, 0, 0}, LinkException.Code.MALFORMED);
    }

    private static void assertRawBytesRefused(byte[] bytes, LinkException.Code code) throws IOException {
        try (LinkServer listening = LinkServer.listen();
                SocketChannel raw = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            raw.connect(UnixDomainSocketAddress.of(listening.socket()));
            try (Link link = listening.accept(Duration.ofSeconds(60))) {
                raw.write(ByteBuffer.wrap(bytes));
                raw.close();

                assertThatThrownBy(link::receive)
                        .isInstanceOfSatisfying(
                                LinkException.class, e -> assertThat(e.code()).isEqualTo(code));
            }
        }
    }

    @Test
    void server_closed_leavesNothingBehindAndTheLinkAlive() throws IOException {
        server.close();

        assertThat(server.socket().getParent()).doesNotExist();
        service.send(new Frame.Shutdown());
        assertThat(worker.receive()).contains(new Frame.Shutdown());
    }

    @Test
    void serverDirectory_isClosedToOthers() throws IOException {
        assertThat(Files.getPosixFilePermissions(server.socket().getParent())).hasSize(3);
    }

    @Test
    void accept_withoutAWorker_timesOut() throws IOException {
        try (LinkServer lonely = LinkServer.listen()) {
            assertThatThrownBy(() -> lonely.accept(Duration.ofMillis(20)))
                    .isInstanceOfSatisfying(
                            LinkException.class, e -> assertThat(e.code()).isEqualTo(LinkException.Code.TIMEOUT));
        }
    }

    @Test
    void accept_onAServerThatIsClosed_ends() throws IOException {
        LinkServer lonely = LinkServer.listen();
        CompletableFuture<Void> accepting = CompletableFuture.runAsync(
                () -> {
                    try {
                        lonely.accept(Duration.ofMinutes(1));
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                VIRTUAL);

        lonely.close();

        assertThatThrownBy(accepting::join)
                .cause()
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.code()).isEqualTo(LinkException.Code.CLOSED));
    }

    @Test
    void temporaryDirectoryWithALongName_isAvoided() throws IOException {
        String before = System.getProperty("java.io.tmpdir");
        System.setProperty("java.io.tmpdir", "/" + "long".repeat(30));
        try (LinkServer listening = LinkServer.listen()) {
            assertThat(listening.socket().toString().length())
                    .isLessThanOrEqualTo(WorkerProtocolLimits.MAX_SOCKET_PATH_BYTES);
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    private static void sendUnchecked(Link link, Frame frame) {
        try {
            link.send(frame);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
