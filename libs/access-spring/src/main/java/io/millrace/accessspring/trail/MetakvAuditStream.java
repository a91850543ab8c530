package io.millrace.accessspring.trail;

import io.millrace.accessspring.ClusterIdentity;
import io.millrace.audit.AuditStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;
import tools.jackson.databind.JsonNode;

/** The stream of all trails, which metakv-service keeps. */
public final class MetakvAuditStream implements AuditStream {

    private final WebClient metakv;
    private final ClusterIdentity identity;

    /** @param url where metakv-service is; it is connected to on first use */
    public MetakvAuditStream(String url, ClusterIdentity identity) {
        this.metakv = WebClient.create(url);
        this.identity = identity;
    }

    @Override
    public CompletableFuture<Long> append(String trail, List<String> lines) {
        return metakv.post()
                .uri("/api/v1/audit/trails/{trail}", trail)
                .headers(headers -> identity.headers().forEach(headers::set))
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(Map.of("lines", lines))
                .retrieve()
                .bodyToMono(JsonNode.class)
                .map(answer -> answer.path("sequence").asLong())
                .toFuture();
    }
}
