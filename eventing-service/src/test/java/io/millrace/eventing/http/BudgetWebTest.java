package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.httpdoor.ByteBudget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The bytes of requests and responses that the service holds. */
@ExtendWith(OutputCaptureExtension.class)
class BudgetWebTest extends WebTest {

    private static final int HALF = 10_000;

    @Autowired
    private ByteBudget budget;

    private long held;

    private void fill() {
        held = budget.limit();
        budget.hold(held);
    }

    @AfterEach
    void everythingIsReturned() {
        budget.give(held);
        await().atMost(Duration.ofSeconds(60)).until(() -> budget.held() == 0);
    }

    @Test
    void bodiesThatDoNotFit_areRefusedForNow_andTheRestIsServed() {
        create("f");
        fill();

        for (String path : new String[] {
            "/api/v1/functions/g", "/api/v1/import", "/api/v1/functions/f/appcode", "/api/v1/functions/f/dry-run"
        }) {
            assertThat(post(path, definition("g").toString()).status()).as(path).isEqualTo(503);
        }
        post("/fn/f/x", "1").problem(503, "overloaded");
        assertThat(get("/api/v1/functions/f").ok().json().get("appname").asString())
                .isEqualTo("f");
        budget.give(held);
        held = 0;
        create("g");
    }

    @Test
    void halfOfAnImport_holdsWhatHasArrived_andEndsQuietly(CapturedOutput output) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("POST /api/v1/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                            .formatted(2 * HALF)
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[HALF]);

            await().atMost(Duration.ofSeconds(60)).until(() -> budget.held() == HALF);
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> budget.held() == 0);
        assertThat(output).doesNotContain("event=request_failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ZZ\r\nx", "-1\r\n", "5 5\r\n[]"})
    void bodyThatIsNotChunkedAsItSays_isAMistakeOfTheClient(String body, CapturedOutput output) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("POST /api/v1/import HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    + body)
                            .getBytes(StandardCharsets.US_ASCII));

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 400 ");
        }
        assertThat(output).doesNotContain("event=request_failed");
    }
}
