package io.millrace.gateway.archive;

import io.millrace.gateway.GatewayException;
import io.millrace.gateway.proxy.PassedSubject;
import io.millrace.gateway.proxy.Upstream;
import io.millrace.gateway.proxy.Upstreams;
import io.millrace.httpdoor.BufferBytes;
import io.millrace.httpdoor.HeldBytes;
import io.millrace.httpdoor.LimitedBody;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Export and import of functions as archives, in front of eventing-service's export and import of JSON. */
@Component
final class ArchiveHandlers {

    static final MediaType ZIP = MediaType.parseMediaType("application/zip");
    private static final MediaType WINDOWS_ZIP = MediaType.parseMediaType("application/x-zip-compressed");

    private final Upstream eventing;
    private final WebClient client;
    private final JsonMapper json;
    private final ArchiveReader reader;

    ArchiveHandlers(Upstreams upstreams, JsonMapper json) {
        this.eventing = upstreams.eventing();
        this.client = eventing.client();
        this.json = json;
        this.reader = new ArchiveReader(json);
    }

    static boolean wantsZip(ServerRequest request) {
        return request.queryParam("format")
                .map("zip"::equalsIgnoreCase)
                .orElseGet(() -> request.headers().accept().stream().anyMatch(ZIP::equalsTypeAndSubtype));
    }

    static boolean bringsZip(ServerRequest request) {
        return request.headers()
                .contentType()
                .filter(type -> ZIP.equalsTypeAndSubtype(type) || WINDOWS_ZIP.equalsTypeAndSubtype(type))
                .isPresent();
    }

    Mono<ServerResponse> exportZip(ServerRequest request) {
        String query = UriComponentsBuilder.fromUri(request.uri())
                .replaceQueryParam("format")
                .build(true)
                .getQuery();
        HeldBytes held = HeldBytes.of(request.exchange());
        return client.get()
                .uri(eventing.uri("/api/v1/export", query))
                .accept(MediaType.APPLICATION_JSON)
                .attributes(PassedSubject.of(request.exchange()))
                .exchangeToMono(whole(held, answer -> packed(answer, held)));
    }

    private Mono<ServerResponse> packed(Answer answer, HeldBytes held) {
        if (answer.status() != 200) {
            return answer.passedOn();
        }
        return Mono.fromSupplier(() -> ArchiveWriter.write(definitions(answer.body())))
                .subscribeOn(Schedulers.boundedElastic())
                .doOnNext(archive -> held.hold(archive.length))
                .flatMap(archive -> ServerResponse.ok()
                        .contentType(ZIP)
                        .header(
                                HttpHeaders.CONTENT_DISPOSITION,
                                ContentDisposition.attachment()
                                        .filename("functions.zip")
                                        .build()
                                        .toString())
                        .bodyValue(archive));
    }

    private JsonNode definitions(byte[] body) {
        try {
            JsonNode definitions = json.readTree(body);
            if (definitions.isArray() && definitions.valueStream().allMatch(JsonNode::isObject)) {
                return definitions;
            }
        } catch (JacksonException e) {
            // reported below
        }
        throw GatewayException.unexpected(
                eventing.name(), "The export of " + eventing.name() + " is not a JSON array of functions.");
    }

    Mono<ServerResponse> importZip(ServerRequest request) {
        HeldBytes held = HeldBytes.of(request.exchange());
        return LimitedBody.readCounted(
                        request.exchange(),
                        ArchiveLimits.MAX_ARCHIVE_BYTES,
                        () -> GatewayException.archiveTooLarge(
                                "The archive is larger than %d bytes.".formatted(ArchiveLimits.MAX_ARCHIVE_BYTES)))
                .publishOn(Schedulers.boundedElastic())
                .map(archive -> json.writeValueAsBytes(reader.read(archive)))
                .doOnNext(definitions -> held.hold(definitions.length))
                .flatMap(definitions -> client.post()
                        .uri(eventing.uri("/api/v1/import", request.uri().getRawQuery()))
                        .contentType(MediaType.APPLICATION_JSON)
                        .attributes(PassedSubject.of(request.exchange()))
                        .bodyValue(definitions)
                        .exchangeToMono(whole(held, Answer::passedOn)));
    }

    private static Function<ClientResponse, Mono<ServerResponse>> whole(
            HeldBytes held, Function<Answer, Mono<ServerResponse>> use) {
        return response -> DataBufferUtils.join(
                        held.counted(
                                response.bodyToFlux(DataBuffer.class),
                                response.headers().contentLength().orElse(-1)),
                        ArchiveLimits.MAX_EXPORT_BYTES)
                .map(BufferBytes::take)
                .defaultIfEmpty(new byte[0])
                .map(body -> new Answer(
                        response.statusCode().value(),
                        response.headers().contentType().orElse(null),
                        response.headers().header("status"),
                        body))
                .flatMap(use);
    }

    /** A whole answer of eventing-service, which says its error code in a header of its own as well. */
    private record Answer(int status, @Nullable MediaType type, List<String> code, byte[] body) {

        Mono<ServerResponse> passedOn() {
            return ServerResponse.status(status)
                    .headers(headers -> {
                        headers.setContentType(type);
                        code.forEach(value -> headers.add("status", value));
                    })
                    .bodyValue(body);
        }
    }
}
