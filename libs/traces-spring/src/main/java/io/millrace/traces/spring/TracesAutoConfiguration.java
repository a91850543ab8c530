package io.millrace.traces.spring;

import io.millrace.documents.spring.DocumentsAutoConfiguration;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceSampler;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Offers the sampler, the {@link SpanSink} and the {@link TraceStore} of a service. */
@AutoConfiguration(after = DocumentsAutoConfiguration.class)
@EnableConfigurationProperties(TracesProperties.class)
public class TracesAutoConfiguration {

    @Bean
    TraceSampler traceSampler(TracesProperties properties) {
        return new TraceSampler(properties.perSecond(), properties.requestedPerSecond(), System::nanoTime);
    }

    @Bean
    @ConditionalOnMissingBean(TraceStore.class)
    RedisTraceStore traceStore(RedisAccess redis, TracesProperties properties) {
        return new RedisTraceStore(redis::commands, properties.kept(), InstantSource.system());
    }

    @Bean(destroyMethod = "close")
    SpanExport spanExport(TracesProperties properties, @Value("${spring.application.name:millrace}") String service) {
        String endpoint = properties.endpoint();
        return endpoint.isEmpty()
                ? SpanExport.NONE
                : new OtlpExport(endpoint, properties.otlpHeaders(), properties.otlpCompression(), service);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(SpanSink.class)
    TraceRecorder traceRecorder(TraceStore store, SpanExport export) {
        return new TraceRecorder(store, export);
    }
}
