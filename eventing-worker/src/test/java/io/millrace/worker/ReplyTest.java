package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.handler.host.HostFailure;
import io.millrace.worker.bindings.Time;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.InsightBook;
import io.millrace.worker.report.LogBuffer;
import io.millrace.worker.report.Outbox;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplyTest {

    private static final int WINDOW = WorkerProtocolLimits.STREAM_WINDOW_BYTES;

    private LinkServer server;
    private Link link;
    private Outbox outbox;

    @BeforeEach
    void connect() throws IOException {
        server = LinkServer.listen();
        link = Link.connect(server.socket());
        Counters counters = new Counters();
        LogBuffer log = new LogBuffer(InstantSource.system(), LogLevel.INFO, counters);
        outbox = new Outbox(link, log, counters, new InsightBook(false), System::nanoTime);
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        server.close();
    }

    /** A reply whose client may keep the handler waiting for so long. */
    private Reply reply(Duration left) {
        return new Reply(1, outbox, () -> {}, Time.SYSTEM, System.nanoTime() + left.toNanos());
    }

    private static HttpResponse response(int bytes) {
        return new HttpResponse(200, List.of(), new HttpBody(HttpBody.Kind.BYTES, new byte[bytes]));
    }

    @Test
    void clientThatTakesNothing_failsTheHandlerWhenTheTimeIsUp() throws HostFailure {
        Reply reply = reply(Duration.ZERO);

        assertThat(reply.begin(response(WINDOW))).isTrue();

        assertThatThrownBy(() -> reply.part(new byte[1]))
                .isInstanceOf(HostFailure.class)
                .hasMessage("The client takes the response too slowly");
        reply.taken(1);
        assertThat(reply.part(new byte[1])).isTrue();
    }

    @Test
    void abandonedReply_takesNothingMore() throws HostFailure {
        Reply reply = reply(Duration.ZERO);

        reply.abandon();

        assertThat(reply.begin(response(1))).isFalse();
    }

    @Test
    void partsOfMoreThanTheLimitTogether_areRefused() throws HostFailure {
        Reply reply = reply(Duration.ofSeconds(60));
        int largest = WorkerProtocolLimits.MAX_HTTP_BODY_BYTES;
        reply.taken(Long.MAX_VALUE / 2);

        for (long sent = 0; sent < WorkerProtocolLimits.MAX_STREAMED_BODY_BYTES; sent += largest) {
            assertThat(reply.part(new byte[largest])).isTrue();
        }

        assertThatThrownBy(() -> reply.part(new byte[1]))
                .hasMessageContaining("parts of more than 67108864 bytes together");
    }
}
