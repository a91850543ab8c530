package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.redis.RedisTls;
import io.millrace.subdocservice.moves.BucketMoves;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TraceSampler;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which changes over HTTP are followed, and what their spans say. */
class TracedWritesTest {

    private static final String DOCUMENT = "/api/v1/buckets/b/docs/";
    private static final TraceContext SENDER = TraceContext.random();

    private final InstantSource clock = InstantSource.system();
    private final MemoryDocumentStore store = new MemoryDocumentStore(clock);
    private final BlockingQueue<Span> spans = new LinkedBlockingQueue<>();
    private @Nullable RestServer server;

    @BeforeEach
    void createBucket() {
        store.catalog().createBucket("b", 1).join();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private RestServer following(double perSecond) {
        BucketMoves moves = new BucketMoves(store, CompletableFuture::new, RedisTls.DEFAULT, clock);
        WriteTraces traces = new WriteTraces(new TraceSampler(perSecond, 100, System::nanoTime), spans::addAll);
        RestServer started = new RestServer(store, clock, moves, traces);
        started.asker = Subject.user("ann", Subject.Domain.LOCAL, Role.parseAll("admin"));
        server = started;
        return started;
    }

    private @Nullable Origin originOf(String id) {
        return store.getWithTombstone(new DocumentKey(Keyspace.of("b"), id))
                .join()
                .orElseThrow()
                .origin();
    }

    private Span next() throws InterruptedException {
        return Objects.requireNonNull(spans.poll(2, TimeUnit.MINUTES));
    }

    @Test
    void write_askedFor_isASpanOfTheSendersTrace() throws InterruptedException {
        RestServer http = following(0);

        http.put(DOCUMENT + "a", "{}", TraceContext.HEADER, SENDER.header(), "X-Request-Id", "r-1");
        http.put(DOCUMENT + "plain", "{}");

        Span span = next();
        Origin origin = Objects.requireNonNull(originOf("a"));
        assertThat(span.trace()).isEqualTo(SENDER.traceId());
        assertThat(span.parent()).isEqualTo(SENDER.spanId());
        assertThat(span.span()).isEqualTo(Objects.requireNonNull(origin.trace()).spanId());
        assertThat(origin.hops()).isZero();
        assertThat(span.name()).isEqualTo("PUT");
        assertThat(span.attributes())
                .containsEntry(Attribute.USER, "ann")
                .containsEntry(Attribute.REQUEST, "r-1")
                .containsEntry(Attribute.DOOR, "http")
                .containsEntry(Attribute.KEYSPACE, "b._default._default")
                .containsEntry(Attribute.DOCUMENT, "a");
        assertThat(originOf("plain")).isNull();
        assertThat(spans).isEmpty();
    }

    @Test
    void everyKindOfWrite_isFollowed() throws InterruptedException {
        RestServer http = following(1000);

        http.post(DOCUMENT + "a", "{\"n\":1}");
        http.put(DOCUMENT + "a/xattrs", "{\"x\":1}", "Content-Type", "application/json");
        http.post(
                DOCUMENT + "a/mutate-in",
                "{\"specs\":[{\"op\":\"dict_upsert\",\"path\":\"n\",\"value\":2}]}",
                "Content-Type",
                "application/json");
        http.post(DOCUMENT + "a/touch?expiry=60", "");
        http.delete(DOCUMENT + "a");

        for (String name : List.of("POST", "PUT", "POST", "POST", "DELETE")) {
            assertThat(next()).extracting(Span::name, Span::error).containsExactly(name, "");
        }
        assertThat(Objects.requireNonNull(originOf("a")).trace()).isNotNull();
    }

    @Test
    void write_thatIsRefused_saysWhy() throws InterruptedException {
        RestServer http = following(1000);

        http.delete(DOCUMENT + "none");

        assertThat(next().error()).isEqualTo("there is no such document");
    }

    @Test
    void write_whenNothingIsFollowed_carriesNothing() {
        RestServer http = following(0);

        for (int i = 0; i < 100; i++) {
            http.put(DOCUMENT + "a" + i, "{}", TraceContext.HEADER, "00-not-a-trace-01");
        }

        assertThat(originOf("a7")).isNull();
        assertThat(spans).isEmpty();
    }
}
