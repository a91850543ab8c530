package io.millrace.traces.spring;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which changes are followed, and where their traces go.
 *
 * @param perSecond how many changes of a bucket are followed per second, in each process, without being asked for; 0 for none
 * @param requestedPerSecond how many at most that are asked for with {@code traceparent}; 0 for none
 * @param kept how many traces of each function, and of writes, are kept in Redis
 * @param otlpEndpoint the address of a collector, "" for none
 * @param otelEndpoint the same, used if the other one is empty
 * @param otlpHeaders what is sent to it: {@code name=value} pairs with commas between them
 * @param otlpCompression how requests to it are compressed: {@code none}, also if it is "", or {@code gzip}
 * @throws IllegalArgumentException if there is no such compression
 */
@ConfigurationProperties("millrace.traces")
public record TracesProperties(
        @DefaultValue("1") double perSecond,
        @DefaultValue("100") double requestedPerSecond,
        @DefaultValue("100") int kept,
        @DefaultValue("") String otlpEndpoint,
        @DefaultValue("") String otelEndpoint,
        @DefaultValue("") String otlpHeaders,
        @DefaultValue("none") String otlpCompression) {

    private static final List<String> COMPRESSIONS = List.of("none", "gzip");

    public TracesProperties {
        otlpCompression = otlpCompression.isBlank() ? "none" : otlpCompression.strip();
        if (!COMPRESSIONS.contains(otlpCompression)) {
            throw new IllegalArgumentException("OTEL_EXPORTER_OTLP_COMPRESSION is \"" + otlpCompression
                    + "\"; expected one of " + String.join(", ", COMPRESSIONS));
        }
    }

    /** Returns the address of the collector, "" for none. */
    String endpoint() {
        return otlpEndpoint.isBlank() ? otelEndpoint.strip() : otlpEndpoint.strip();
    }
}
