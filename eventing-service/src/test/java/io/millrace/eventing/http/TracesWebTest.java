package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.millrace.traces.spring.TraceStore;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

class TracesWebTest extends WebTest {

    private static final String TRACES = "/api/v1/traces?";

    @Autowired
    TraceStore store;

    private final TraceContext write = TraceContext.random();
    private final String document = "d" + UUID.randomUUID();
    private final String request = "r" + UUID.randomUUID();
    private final String function = "f" + UUID.randomUUID();

    @BeforeEach
    void trace() {
        TraceContext handler = write.next();
        store.add(
                        write.traceId(),
                        List.of(
                                new Span(
                                        write.traceId(),
                                        handler.spanId(),
                                        write.spanId(),
                                        Span.Kind.HANDLER,
                                        "OnUpdate",
                                        1_790_000_000_000_500L,
                                        40,
                                        "TypeError: no",
                                        Map.of(Attribute.FUNCTION, function, Attribute.VERSION, "3")),
                                new Span(
                                        write.traceId(),
                                        write.spanId(),
                                        "",
                                        Span.Kind.WRITE,
                                        "PUT",
                                        1_790_000_000_000_000L,
                                        300,
                                        "",
                                        Map.of(
                                                Attribute.KEYSPACE,
                                                "src.v1._default._default",
                                                Attribute.DOCUMENT,
                                                document,
                                                Attribute.REQUEST,
                                                request))))
                .join();
    }

    private JsonNode found(String query) {
        return get(TRACES + query).json().get("traces");
    }

    @Test
    void trace_isFoundByAllThatLeadsToIt() {
        for (String query : List.of(
                "trace=" + write.traceId(),
                "trace=" + write.header(),
                "document=" + document,
                "request=" + request,
                "function=" + function)) {
            JsonNode traces = found(query);

            assertThat(traces.size()).as(query).isEqualTo(1);
            assertThat(traces.get(0).get("trace").asString()).isEqualTo(write.traceId());
        }
        assertThat(found("trace=" + TraceContext.random().traceId()).isEmpty()).isTrue();
        assertThat(found("document=other").isEmpty()).isTrue();
    }

    @Test
    void spans_areInTheOrderInWhichTheyBegan() {
        JsonNode trace = found("trace=" + write.traceId()).get(0);

        assertThat(trace.get("started").asString()).isEqualTo("2026-09-21T14:13:20Z");
        assertThat(trace.get("duration_us").asLong()).isEqualTo(540);
        assertThat(trace.at("/spans/0/name").asString()).isEqualTo("PUT");
        assertThat(trace.at("/spans/1/name").asString()).isEqualTo("OnUpdate");
        assertThat(trace.at("/spans/1/parent").asString())
                .isEqualTo(trace.at("/spans/0/span").asString());
        assertThat(trace.at("/spans/1/error").asString()).isEqualTo("TypeError: no");
        assertThat(trace.at("/spans/1/attributes/version").asString()).isEqualTo("3");
        assertThat(trace.at("/spans/0").has("error")).isFalse();
    }

    @Test
    void query_withoutOneParameter_isRefused() {
        for (String query : List.of("", "limit=3", "trace=1&document=a", "document=")) {
            JsonNode error = get(TRACES + query).error(400, "ERR_INVALID_REQUEST", 63);

            assertThat(error.toString()).contains("give exactly one");
        }
    }
}
