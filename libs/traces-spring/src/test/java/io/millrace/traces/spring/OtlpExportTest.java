package io.millrace.traces.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpServer;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpExportTest {

    private final TraceContext context = TraceContext.random();
    private final CompletableFuture<ExportTraceServiceRequest> received = new CompletableFuture<>();
    private final CompletableFuture<String> key = new CompletableFuture<>();
    private final CompletableFuture<Boolean> wasCompressed = new CompletableFuture<>();
    private HttpServer collector;
    private int status = 200;

    @BeforeEach
    void start() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> {
            key.complete(String.valueOf(exchange.getRequestHeaders().getFirst("api-key")));
            boolean compressed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            received.complete(ExportTraceServiceRequest.parseFrom(
                    compressed ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()));
            wasCompressed.complete(compressed);
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    private CompletableFuture<?> export(String end, String compression) {
        Span span = new Span(
                context.traceId(),
                context.spanId(),
                "00f067aa0ba902b7",
                Span.Kind.HANDLER,
                "OnUpdate",
                1_790_000_000_000_001L,
                25,
                "TypeError: no",
                Map.of(Attribute.FUNCTION, "f"));
        String address = "http://127.0.0.1:" + collector.getAddress().getPort() + end;
        OtlpExport export = new OtlpExport(address, "api-key=secret, other=1", compression, "eventing-service");
        return export.export(List.of(span)).whenComplete((done, failure) -> export.close());
    }

    @Test
    void span_arrivesWithEverything() {
        export("/", "none").join();

        ResourceSpans resource = received.join().getResourceSpans(0);
        assertThat(resource.getResource().getAttributesList())
                .anySatisfy(attribute ->
                        assertThat(attribute.getValue().getStringValue()).isEqualTo("eventing-service"));
        io.opentelemetry.proto.trace.v1.Span span = resource.getScopeSpans(0).getSpans(0);
        assertThat(HexFormat.of().formatHex(span.getTraceId().toByteArray())).isEqualTo(context.traceId());
        assertThat(HexFormat.of().formatHex(span.getSpanId().toByteArray())).isEqualTo(context.spanId());
        assertThat(HexFormat.of().formatHex(span.getParentSpanId().toByteArray()))
                .isEqualTo("00f067aa0ba902b7");
        assertThat(span.getName()).isEqualTo("OnUpdate");
        assertThat(span.getKind()).isEqualTo(io.opentelemetry.proto.trace.v1.Span.SpanKind.SPAN_KIND_CONSUMER);
        assertThat(span.getEndTimeUnixNano() - span.getStartTimeUnixNano()).isEqualTo(25_000);
        assertThat(span.getStatus().getMessage()).isEqualTo("TypeError: no");
        assertThat(span.getAttributes(0).getKey()).isEqualTo("millrace.function");
        assertThat(key.join()).isEqualTo("secret");
    }

    @ParameterizedTest
    @CsvSource({"none, false", "gzip, true"})
    void requestIsCompressed_onlyIfThatIsSet(String compression, boolean compressed) {
        export("", compression).join();

        assertThat(received.join().getResourceSpansCount()).isOne();
        assertThat(wasCompressed.join()).isEqualTo(compressed);
    }

    @Test
    void compressionThatDoesNotExist_isRefusedInWords() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TracesProperties(1, 100, 100, "", "", "", "zstd"))
                .withMessage("OTEL_EXPORTER_OTLP_COMPRESSION is \"zstd\"; expected one of none, gzip");
        assertThat(new TracesProperties(1, 100, 100, "", "", "", "").otlpCompression())
                .isEqualTo("none");
    }

    @Test
    void collectorThatRefuses_isAFailureThatSaysWhatToCheck() {
        status = 400;

        assertThat(export("/v1/traces", "none"))
                .failsWithin(java.time.Duration.ofMinutes(2))
                .withThrowableThat()
                .withMessageContaining("check MILLRACE_OTLP_ENDPOINT");
    }
}
