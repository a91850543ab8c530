package io.millrace.traces.spring;

import io.millrace.traces.Span;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends spans to a collector with OTLP over HTTP, as protobuf. */
final class OtlpExport implements SpanExport {

    private static final String PATH = "/v1/traces";

    private final SpanExporter exporter;
    private final Resource resource;
    private final String endpoint;

    /**
     * @param endpoint the address of the collector, to which {@code /v1/traces} is added unless it ends with it
     * @param headers what is sent with each request: {@code name=value} pairs with commas between them, "" for none
     * @param compression {@code none} or {@code gzip}
     * @param service the name of this service
     */
    OtlpExport(String endpoint, String headers, String compression, String service) {
        String base = endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
        this.endpoint = base.endsWith(PATH) ? base : base + PATH;
        OtlpHttpSpanExporterBuilder builder =
                OtlpHttpSpanExporter.builder().setEndpoint(this.endpoint).setCompression(compression);
        for (String header : headers.split(",")) {
            int equals = header.indexOf('=');
            if (equals > 0) {
                builder.addHeader(
                        header.substring(0, equals).strip(),
                        header.substring(equals + 1).strip());
            }
        }
        this.exporter = builder.build();
        this.resource = Resource.create(Attributes.builder()
                .put("service.name", service)
                .put("service.namespace", "millrace")
                .build());
    }

    @Override
    public CompletableFuture<?> export(List<Span> spans) {
        CompletableFuture<Void> exported = new CompletableFuture<>();
        CompletableResultCode result = exporter.export(spans.stream()
                .<SpanData>map(span -> new ExportedSpan(span, resource))
                .toList());
        result.whenComplete(() -> {
            if (result.isSuccess()) {
                exported.complete(null);
            } else {
                exported.completeExceptionally(new IOException(
                        "The collector at " + endpoint + " did not take the spans; check MILLRACE_OTLP_ENDPOINT"));
            }
        });
        return exported;
    }

    @Override
    public void close() {
        exporter.close();
    }
}
