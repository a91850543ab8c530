package io.millrace.testkit.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.StandInServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrowdTest {

    @Test
    void clientThatIsRefused_triesAgain() throws Exception {
        AtomicInteger refusals = new AtomicInteger(2);
        try (StandInServer server = StandInServer.start(
                exchange -> StandInServer.answer(exchange, refusals.getAndDecrement() > 0 ? 503 : 200, "answer"))) {
            StormTarget target = new StormTarget(server.uri(""), "Basic none");

            try (Crowd crowd = new Crowd(target, 1, 1, true, number -> target.request("GET", "/", "", new byte[0]))) {
                await().until(() -> crowd.met("status 200") == 1);

                assertThat(crowd.met("status 503")).isEqualTo(2);
                assertThat(crowd.met("connected")).isEqualTo(3);
            }
        }
    }
}
