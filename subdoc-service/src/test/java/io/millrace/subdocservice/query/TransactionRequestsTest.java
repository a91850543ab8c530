package io.millrace.subdocservice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Subject;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.traces.WriteTraces;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Transactions in requests to the query service. */
class TransactionRequestsTest {

    private final DocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final FollowedWork work = new FollowedWork(new HttpTraces(WriteTraces.NONE, request -> Subject.open()));
    private final QueryEngine engine = new QueryEngine(
            new DocumentKeyspaces(work.followed(store), bucket -> true, () -> null), InstantSource.system());
    private final Scheduler scheduler = Schedulers.newBoundedElastic(4, 100, "transaction-test");
    private final WebTestClient client = WebTestClient.bindToRouterFunction(
                    new QueryRoutes(engine, request -> Subject.open(), scheduler, work).router())
            .build();

    @BeforeEach
    void createBucket() {
        StoreKit.await(store.catalog().createBucket("t", 1));
    }

    @AfterEach
    void stop() {
        scheduler.dispose();
    }

    private JsonNode post(int status, String json) {
        byte[] body = client.post()
                .uri("/query/service")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(json)
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectBody()
                .returnResult()
                .getResponseBody();
        return JsonMapper.shared().readTree(body);
    }

    @Test
    void transactionOfSeveralRequests_isRefused() {
        for (String request : new String[] {
            "{\"statement\":\"SELECT 1\",\"txid\":\"abc\"}",
            "{\"statement\":\"BEGIN WORK\"}",
            "{\"statement\":\"commit transaction\"}"
        }) {
            JsonNode error = post(400, request).at("/errors/0");
            assertThat(error.get("code").asInt()).isEqualTo(17001);
            assertThat(error.get("msg").asString()).contains("BEGIN WORK; statements; COMMIT");
        }
    }

    @Test
    void transactionOfOneRequest_isWrittenOrNot() {
        String rows = "INSERT INTO t VALUES (\\\"tx\\\", 1), (\\\"tx2\\\", 2)";
        JsonNode done = post(200, "{\"statement\":\"BEGIN; " + rows + " RETURNING RAW META().id; COMMIT\"}");
        assertThat(done.get("results").toString()).isEqualTo("[[\"tx\",\"tx2\"]]");
        assertThat(done.at("/metrics/mutationCount").asInt()).isEqualTo(2);

        post(200, "{\"statement\":\"DELETE FROM t USE KEYS \\\"tx\\\"\",\"tximplicit\":true,\"txtimeout\":\"1s\"}");
        JsonNode failed = post(200, "{\"statement\":\"" + rows + "\",\"tximplicit\":true}");
        assertThat(failed.get("status").asString()).isEqualTo("errors");
        assertThat(post(200, "{\"statement\":\"SELECT RAW COUNT(*) FROM t USE KEYS [\\\"tx\\\"]\"}")
                        .get("results")
                        .toString())
                .isEqualTo("[0]");
    }
}
