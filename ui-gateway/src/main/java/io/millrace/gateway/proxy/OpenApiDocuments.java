package io.millrace.gateway.proxy;

import io.millrace.gateway.GatewayException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI documents of the services, with the gateway as their server, so that "Try it out" works in a browser. */
@Component
final class OpenApiDocuments {

    private final ProxySettings settings;
    private final JsonMapper json;

    OpenApiDocuments(ProxySettings settings, JsonMapper json) {
        this.settings = settings;
        this.json = json;
    }

    Mono<ServerResponse> of(Upstream upstream) {
        WebClient client = upstream.client()
                .mutate()
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(settings.openApiBytes()))
                .build();
        return client.get()
                .uri(upstream.uri("/v3/api-docs", null))
                .exchangeToMono(answer -> answer.bodyToMono(byte[].class)
                        .defaultIfEmpty(new byte[0])
                        .map(body -> atGateway(upstream, answer.statusCode().value(), body)))
                .flatMap(document -> ServerResponse.ok()
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(document));
    }

    private byte[] atGateway(Upstream upstream, int status, byte[] body) {
        try {
            if (status == 200 && json.readTree(body) instanceof ObjectNode document) {
                document.putArray("servers").addObject().put("url", "/").put("description", "the gateway");
                return json.writeValueAsBytes(document);
            }
        } catch (JacksonException e) {
            // reported below
        }
        throw GatewayException.unexpected(
                upstream.name(),
                "%s did not return its OpenAPI document (status %d).".formatted(upstream.name(), status));
    }
}
