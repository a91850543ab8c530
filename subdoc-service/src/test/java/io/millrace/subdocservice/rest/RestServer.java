package io.millrace.subdocservice.rest;

import io.millrace.access.Subject;
import io.millrace.documents.DocumentStore;
import io.millrace.redis.RedisTls;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.moves.BucketMoves;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.millrace.subdocservice.traces.WriteTraces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunctions;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The routes over a store, on a real HTTP server and without the rest of the service; and a client for it. */
final class RestServer implements AutoCloseable {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Longer than any request takes on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Who sends the requests. */
    volatile Subject asker = Subject.open();

    private final int port;
    private final Runnable stop;

    RestServer(DocumentStore store, InstantSource clock) {
        this(store, clock, new BucketMoves(store, CompletableFuture::new, RedisTls.DEFAULT, clock));
    }

    RestServer(DocumentStore store, InstantSource clock, BucketMoves moves) {
        this(store, clock, moves, WriteTraces.NONE);
    }

    RestServer(DocumentStore store, InstantSource clock, BucketMoves moves, WriteTraces traces) {
        var handler = RouterFunctions.toHttpHandler(new Routes(
                        store,
                        clock,
                        new SubDocumentExecutor(store, clock),
                        moves,
                        request -> asker,
                        new HttpTraces(traces, request -> asker))
                .router());
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow();
        this.port = server.port();
        this.stop = server::disposeNow;
    }

    private RestServer(int port) {
        this.port = port;
        this.stop = () -> {};
    }

    /** A client only, for a server that runs already. */
    static RestServer at(int port) {
        return new RestServer(port);
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        stop.run();
    }

    record Answer(int status, byte[] body, HttpResponse<byte[]> response) {

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }

        Optional<String> header(String name) {
            return response.headers().firstValue(name);
        }

        String etag() {
            return header("ETag").orElseThrow();
        }

        /** The status and the code of a problem. */
        String error() {
            boolean problem = header("Content-Type").orElse("").equals("application/problem+json");
            if (!problem
                    || json().path("status").asInt(0) != status
                    || json().path("action").asString("").isBlank()) {
                throw new AssertionError("The answer is " + response + " with " + text());
            }
            return status + " " + json().get("code").asString();
        }
    }

    Answer get(String path, String... headers) {
        return send("GET", path, HttpRequest.BodyPublishers.noBody(), headers);
    }

    Answer put(String path, String body, String... headers) {
        return send("PUT", path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    Answer post(String path, String body, String... headers) {
        return send("POST", path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    Answer delete(String path, String... headers) {
        return send("DELETE", path, HttpRequest.BodyPublishers.noBody(), headers);
    }

    Answer head(String path) {
        return send("HEAD", path, HttpRequest.BodyPublishers.noBody());
    }

    Answer send(String method, String path, byte[] body, String... headers) {
        return send(method, path, HttpRequest.BodyPublishers.ofByteArray(body), headers);
    }

    Answer send(String method, String path, HttpRequest.BodyPublisher body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        // limits the whole response; the timeout of a request covers the head only
        CompletableFuture<HttpResponse<byte[]>> answer =
                CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        try {
            HttpResponse<byte[]> response = answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(response.statusCode(), response.body(), response);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof UncheckedIOException cause
                    ? cause
                    : new UncheckedIOException(method + " " + path, new IOException(e.getCause()));
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new AssertionError(method + " " + path + " has no answer after " + PATIENCE, e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
