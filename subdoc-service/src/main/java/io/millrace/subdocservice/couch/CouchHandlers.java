package io.millrace.subdocservice.couch;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.CouchResponse;
import io.millrace.couch.CouchServer;
import io.millrace.documents.DocumentsException;
import io.millrace.httpdoor.BudgetExceededException;
import io.millrace.httpdoor.HeldBytes;
import io.millrace.httpdoor.LimitedBody;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.Requester;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.channel.AbortedException;

/** The requests below {@code /couch}. */
final class CouchHandlers {

    static final String ROOT = "/couch";

    private static final Logger LOG = LoggerFactory.getLogger(CouchHandlers.class);
    private static final Pattern SLASH = Pattern.compile("/");
    private static final Pattern AMPERSAND = Pattern.compile("&");

    private final CouchServer server;
    private final Requester requester;
    private final FollowedWork work;
    private final Scheduler threads = Schedulers.fromExecutor(Thread::startVirtualThread);

    CouchHandlers(CouchServer server, Requester requester, FollowedWork work) {
        this.work = work;
        this.server = server;
        this.requester = requester;
    }

    Mono<ServerResponse> handle(ServerRequest request) {
        return body(request)
                .flatMap(body -> Mono.fromCallable(
                                () -> work.during(request, () -> server.handle(translated(request, body))))
                        .subscribeOn(threads))
                .onErrorMap(
                        BudgetExceededException.class,
                        e -> CouchException.of(503, "unavailable", BudgetExceededException.MESSAGE))
                .onErrorResume(CouchException.class, e -> Mono.just(CouchServer.error(e)))
                .onErrorResume(
                        AbortedException.class, e -> Mono.just(CouchServer.defect())) // the client has disconnected
                .onErrorResume(e -> {
                    LOG.error("event=request_failed method={} path={}", request.method(), request.path(), e);
                    return Mono.just(CouchServer.defect());
                })
                .flatMap(response -> answer(request, response));
    }

    /** The body of a request that will be refused is not read: anyone could fill the memory with such. */
    private Mono<byte[]> body(ServerRequest request) {
        return requester.subject(request).known()
                ? LimitedBody.readCounted(
                        request.exchange(),
                        CouchLimits.MAX_REQUEST_BYTES,
                        () -> CouchException.tooLarge("the request entity is too large"))
                : Mono.just(new byte[0]);
    }

    private CouchRequest translated(ServerRequest request, byte[] body) {
        Map<String, String> headers = new LinkedHashMap<>();
        request.headers().asHttpHeaders().forEach((name, values) -> {
            if (!values.isEmpty()) {
                headers.put(name.toLowerCase(Locale.ROOT), values.getFirst());
            }
        });
        return new CouchRequest(
                request.method().name(),
                path(request.uri().getRawPath()),
                query(Optional.ofNullable(request.uri().getRawQuery()).orElse("")),
                headers,
                body,
                requester.subject(request));
    }

    /** A slash inside a name is percent-encoded, so segments are decoded one by one. */
    private static List<String> path(String raw) {
        List<String> segments = new ArrayList<>();
        for (String segment : SLASH.split(raw.substring(ROOT.length()), -1)) {
            if (!segment.isEmpty()) {
                segments.add(decoded(segment.replace("+", "%2B")));
            }
        }
        return segments;
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String parameter : AMPERSAND.split(raw)) {
            if (!parameter.isEmpty()) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                query.put(decoded(name), equals < 0 ? "" : decoded(parameter.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw CouchException.badRequest("The path or the query is not percent-encoded UTF-8.");
        }
    }

    private Mono<ServerResponse> answer(ServerRequest request, CouchResponse response) {
        boolean head = request.method().equals(HttpMethod.HEAD);
        ServerResponse.BodyBuilder builder = ServerResponse.status(HttpStatusCode.valueOf(response.status()))
                .header("X-Couch-Request-ID", UUID.randomUUID().toString().substring(0, 8))
                .headers(headers -> response.headers()
                        .forEach((name, value) -> headers.set(name, name.equals("Location") ? ROOT + value : value)));
        return switch (response) {
            case CouchResponse.Whole whole ->
                builder.build((exchange, context) -> {
                    HeldBytes.of(exchange).hold(whole.body().length);
                    var http = exchange.getResponse();
                    if (whole.status() != 304) {
                        http.getHeaders().setContentLength(whole.body().length);
                    }
                    return head || whole.body().length == 0
                            ? http.setComplete()
                            : http.writeWith(Mono.just(http.bufferFactory().wrap(whole.body())));
                });
            case CouchResponse.Streamed streamed
            when head -> {
                streamed.chunks().close();
                yield builder.build();
            }
            case CouchResponse.Streamed streamed ->
                builder.header(HttpHeaders.TRANSFER_ENCODING, "chunked").build((exchange, context) -> {
                    var http = exchange.getResponse();
                    return http.writeAndFlushWith(
                                    pieces(streamed.chunks(), http.bufferFactory(), HeldBytes.of(exchange))
                                            .map(Mono::just))
                            .onErrorResume(failure -> refuse(http, failure));
                });
        };
    }

    /** Answers with an error in place of a response whose first piece could not be made. */
    private static Mono<Void> refuse(ServerHttpResponse http, Throwable failure) {
        CouchResponse error = switch (failure) {
            case CouchException known -> CouchServer.error(known);
            case DocumentsException known -> CouchServer.error(known);
            default -> null;
        };
        if (http.isCommitted() || !(error instanceof CouchResponse.Whole whole)) {
            return Mono.error(failure);
        }
        http.setRawStatusCode(whole.status());
        http.getHeaders().remove(HttpHeaders.TRANSFER_ENCODING);
        whole.headers().forEach(http.getHeaders()::set);
        http.getHeaders().setContentLength(whole.body().length);
        return http.writeWith(Mono.just(http.bufferFactory().wrap(whole.body())));
    }

    /** Asks for the next piece when the client has taken the last one, so that a slow client does not fill the memory. */
    private Flux<DataBuffer> pieces(CouchResponse.Chunks chunks, DataBufferFactory buffers, HeldBytes held) {
        AtomicBoolean more = new AtomicBoolean(true);
        AtomicInteger latest = new AtomicInteger();
        return Mono.fromCallable(() -> {
                    byte[] piece = chunks.next();
                    more.set(piece != null);
                    held.replace(latest.get(), piece == null ? 0 : piece.length);
                    latest.set(piece == null ? 0 : piece.length);
                    return piece == null ? new byte[0] : piece;
                })
                .subscribeOn(threads)
                .repeat(more::get)
                .filter(piece -> piece.length > 0)
                .map(buffers::wrap)
                .limitRate(1)
                .doFinally(end -> chunks.close());
    }
}
