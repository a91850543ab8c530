package io.millrace.metakvservice.entries;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.httpdoor.ByteBudget;
import io.millrace.metakvservice.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Values and events that do not fit into the memory of the service are refused for now. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "millrace.http.room-timeout=20ms")
@Import(MemoryStore.class)
class BudgetHttpTest {

    @Autowired
    private ByteBudget budget;

    @LocalServerPort
    private int port;

    private int put() {
        return WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofSeconds(60))
                .build()
                .put()
                .uri("/_metakv/budget/x")
                .bodyValue("1")
                .exchange()
                .returnResult(String.class)
                .getStatus()
                .value();
    }

    @Test
    void valueThatDoesNotFit_isRefusedForNow() {
        budget.hold(budget.limit());
        int full = put();
        budget.give(budget.limit());

        assertThat(full).isEqualTo(503);
        assertThat(put()).isBetween(200, 299);
    }
}
