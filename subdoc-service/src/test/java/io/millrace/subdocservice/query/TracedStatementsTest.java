package io.millrace.subdocservice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TraceSampler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Which changes of statements are followed, and what their spans say. */
class TracedStatementsTest {

    private static final TraceContext SENDER = TraceContext.random();
    private static final int DOCUMENTS = 30;

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final Requester requester = request -> Subject.user("ann", Subject.Domain.LOCAL, Role.parseAll("admin"));
    private final FollowedWork work = new FollowedWork(new HttpTraces(
            new WriteTraces(new TraceSampler(0, 100, System::nanoTime), spans::addAll), requester, "query"));
    private final QueryEngine engine = new QueryEngine(
            new DocumentKeyspaces(work.followed(store), bucket -> true, () -> null), InstantSource.system());
    private final Scheduler scheduler = Schedulers.newBoundedElastic(4, 100, "query-test");
    private final WebTestClient client = WebTestClient.bindToRouterFunction(
                    new QueryRoutes(engine, requester, scheduler, work).router())
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

    private void run(String statement, String... headers) {
        var request = client.post()
                .uri("/query/service")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .header("X-Request-Id", "r-1");
        for (int i = 0; i < headers.length; i += 2) {
            request = request.header(headers[i], headers[i + 1]);
        }
        request.bodyValue("statement=" + statement)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.status")
                .isEqualTo("success");
    }

    private @Nullable Origin originOf(String id) {
        return StoreKit.await(store.getWithTombstone(new DocumentKey(Keyspace.of("t"), id)))
                .orElseThrow()
                .origin();
    }

    @Test
    void changeOfAStatement_isASpanOfTheSendersTrace() {
        run("INSERT INTO t (KEY, VALUE) VALUES ('a', {'n': 1})", TraceContext.HEADER, SENDER.header());
        run("INSERT INTO t (KEY, VALUE) VALUES ('plain', {'n': 1})");

        assertThat(spans).hasSize(1);
        Span span = spans.getFirst();
        assertThat(span.trace()).isEqualTo(SENDER.traceId());
        assertThat(span.parent()).isEqualTo(SENDER.spanId());
        assertThat(span.attributes())
                .containsEntry(Attribute.DOOR, "query")
                .containsEntry(Attribute.USER, "ann")
                .containsEntry(Attribute.REQUEST, "r-1")
                .containsEntry(Attribute.DOCUMENT, "a");
        Origin origin = Objects.requireNonNull(originOf("a"));
        assertThat(Objects.requireNonNull(origin.trace()).spanId()).isEqualTo(span.span());
        assertThat(origin.hops()).isZero();
        assertThat(originOf("plain")).isNull();
    }

    @Test
    void everyDocumentThatAStatementChanges_hasASpanOfItsOwn() {
        for (int i = 0; i < DOCUMENTS; i++) {
            run("INSERT INTO t (KEY, VALUE) VALUES ('d" + i + "', {'n': " + i + "})");
        }

        run("UPDATE t SET m = n RETURNING META().id", TraceContext.HEADER, SENDER.header());
        run("DELETE FROM t WHERE n = 7", TraceContext.HEADER, SENDER.header());

        assertThat(spans)
                .hasSize(DOCUMENTS + 1)
                .allSatisfy(span -> assertThat(span.trace()).isEqualTo(SENDER.traceId()));
        assertThat(spans.getLast().attributes()).containsEntry(Attribute.DOCUMENT, "d7");
        assertThat(Objects.requireNonNull(originOf("d7")).trace()).isNotNull();
    }

    @Test
    void everyDocumentThatATransactionChanges_hasASpanOfItsOwn() {
        run(
                "BEGIN WORK; INSERT INTO t (KEY, VALUE) VALUES ('a', {'n': 1}); INSERT INTO t (KEY, VALUE) VALUES ('b', {'n': 2}); COMMIT",
                TraceContext.HEADER,
                SENDER.header());

        assertThat(spans)
                .extracting(span -> span.attributes().get(Attribute.DOCUMENT))
                .containsExactly("a", "b");
        for (Span span : spans) {
            assertThat(span.trace()).isEqualTo(SENDER.traceId());
            assertThat(span.parent()).isEqualTo(SENDER.spanId());
            Origin origin = Objects.requireNonNull(originOf(span.attributes().getOrDefault(Attribute.DOCUMENT, "")));
            assertThat(Objects.requireNonNull(origin.trace()).spanId()).isEqualTo(span.span());
        }
    }
}
