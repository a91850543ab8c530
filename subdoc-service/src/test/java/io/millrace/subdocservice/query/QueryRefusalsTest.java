package io.millrace.subdocservice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.accessspring.RefusalMarks;
import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.traces.WriteTraces;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What the audit trail gets about statements. */
class QueryRefusalsTest {

    private static final Subject READER =
            Subject.user("ann", Subject.Domain.LOCAL, List.of(Role.parse("query_select[t]")));

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final QueryEngine engine =
            new QueryEngine(new DocumentKeyspaces(store, bucket -> true, () -> null), InstantSource.system());
    private final Scheduler scheduler = Schedulers.newBoundedElastic(4, 100, "query-test");
    private final FollowedWork work = new FollowedWork(new HttpTraces(WriteTraces.NONE, request -> READER));
    private final List<String> marks = new CopyOnWriteArrayList<>();
    private final WebTestClient client = WebTestClient.bindToRouterFunction(
                    new QueryRoutes(engine, request -> READER, scheduler, work).router())
            .webFilter((exchange, chain) -> chain.filter(exchange)
                    .doFinally(end ->
                            marks.add(String.valueOf((Object) exchange.getAttribute(RefusalMarks.class.getName())))))
            .configureClient()
            .responseTimeout(Duration.ofSeconds(60))
            .build();

    @BeforeEach
    void createBucket() {
        StoreKit.await(store.catalog().createBucket("t", 1));
        engine.execute("CREATE PRIMARY INDEX ON t", QueryOptions.DEFAULT).close();
    }

    @AfterEach
    void endScheduler() {
        scheduler.dispose();
    }

    private String mark(int status, String statement) {
        marks.clear();
        client.post()
                .uri("/query/service")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{\"statement\":\"" + statement + "\"}")
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectBody();
        await().until(() -> marks.size() == 1);
        return marks.getFirst();
    }

    @Test
    void aStatementThatTheUserMayRun_hasNoMark() {
        assertThat(mark(200, "SELECT RAW 1 FROM t")).isEqualTo("null");
    }

    @Test
    void aStatementThatTheUserMayNotRun_isMarkedWithItsKindAndTheMissingRight_withoutItsText() {
        assertThat(mark(401, " update t SET m = 's3cret'"))
                .contains("UPDATE", "query_update on default:t")
                .doesNotContain("s3cret");
        assertThat(mark(401, "SELECT * FROM system:prepareds")).contains("SELECT", "query_system_catalog");
    }
}
