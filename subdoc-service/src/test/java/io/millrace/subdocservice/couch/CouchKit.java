package io.millrace.subdocservice.couch;

import io.millrace.access.Subject;
import io.millrace.couch.CouchServer;
import io.millrace.documents.DocumentStore;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.sandbox.SharedEngine;
import io.millrace.subdocservice.traces.WriteTraces;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunctions;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The CouchDB API of a store on a real HTTP server, and a client for it. */
public final class CouchKit implements AutoCloseable {

    public static final JsonMapper JSON = JsonMapper.shared();
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();

    private final SharedEngine engine = new SharedEngine();
    private final SandboxedFunctions functions = new SandboxedFunctions(engine);
    private final CouchServer couch;
    private final DisposableServer server;

    public CouchKit(DocumentStore store) {
        this(store, 0);
    }

    /** Serves on a port, 0 for a free one. */
    CouchKit(DocumentStore store, int port) {
        this(store, port, WriteTraces.NONE);
    }

    /** Serves on a free port, and follows changes. */
    CouchKit(DocumentStore store, WriteTraces traces) {
        this(store, 0, traces);
    }

    private CouchKit(DocumentStore store, int port, WriteTraces traces) {
        FollowedWork work = new FollowedWork(new HttpTraces(traces, request -> Subject.open(), "couch"));
        couch = new CouchServer(work.followed(store), functions);
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .handle(new ReactorHttpHandlerAdapter(RouterFunctions.toHttpHandler(
                        CouchConfiguration.router(couch, request -> Subject.open(), work))))
                .bindNow();
    }

    String url() {
        return "http://127.0.0.1:" + server.port() + "/couch/";
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.disposeNow();
        couch.close();
        functions.close();
        engine.close();
    }

    public record Answer(int status, String text, HttpResponse<?> response) {

        public JsonNode json() {
            return JSON.readTree(text);
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    static String newName() {
        return "db-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet();
    }

    String newDatabase() {
        String name = newName();
        Answer made = send("PUT", name, null);
        if (made.status != 201) {
            throw new AssertionError(made);
        }
        return name;
    }

    static String parameters(Map<String, String> query) {
        return query.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    public HttpRequest request(String method, String path, @Nullable String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path));
        boolean typed = List.of(headers).stream().anyMatch("content-type"::equalsIgnoreCase);
        if (body != null && !typed) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    public Answer send(String method, String path, @Nullable String body, String... headers) {
        try {
            HttpResponse<String> response =
                    CLIENT.send(request(method, path, body, headers), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body(), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts a request whose response is read line by line. */
    public HttpResponse<InputStream> open(HttpRequest request) {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static BufferedReader lines(HttpResponse<InputStream> response) {
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }
}
