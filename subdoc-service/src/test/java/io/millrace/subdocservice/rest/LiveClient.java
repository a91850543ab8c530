package io.millrace.subdocservice.rest;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Applies the events of a live query, as a page in a browser would. It may be cut off and continue. */
final class LiveClient implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI uri;

    /** The kind and document of each event. */
    final List<String> events = new CopyOnWriteArrayList<>();

    /** The documents that match, by id. */
    final Map<String, JsonNode> documents = new ConcurrentHashMap<>();

    volatile String lastId = "";
    private volatile @Nullable InputStream body;
    private volatile boolean ended;

    LiveClient(int port, String collection, String filter) {
        this.uri = URI.create("http://127.0.0.1:" + port + collection + "/live?filter="
                + URLEncoder.encode(filter, StandardCharsets.UTF_8));
    }

    /** Connects, or continues after the last event. */
    LiveClient connect() {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "text/event-stream");
            if (!lastId.isEmpty()) {
                request.header("Last-Event-ID", lastId);
            }
            HttpResponse<InputStream> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            if (answer.statusCode() != 200) {
                throw new AssertionError(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
            }
            InputStream opened = answer.body();
            body = opened;
            ended = false;
            Thread.startVirtualThread(() -> read(opened));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Connects again if the service has ended the response. */
    void continueIfEnded() {
        if (ended) {
            connect();
        }
    }

    /** Cuts the connection; what arrives from then on is not applied. */
    void cut() {
        InputStream open = body;
        body = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        cut();
    }

    private void read(InputStream opened) {
        try (var lines = new BufferedReader(new InputStreamReader(opened, StandardCharsets.UTF_8))) {
            String kind = "";
            String id = "";
            String data = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    kind = line.substring(7);
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty() && !kind.isEmpty()) {
                    apply(opened, kind, id, data);
                    kind = "";
                }
            }
        } catch (IOException e) {
            // cut off
        } finally {
            ended = true;
        }
    }

    private synchronized void apply(InputStream opened, String kind, String id, String data) {
        if (body != opened) {
            return;
        }
        JsonNode event = JsonMapper.shared().readTree(data);
        String document = event.path("id").asString("");
        switch (kind) {
            case "match", "enter", "change" -> documents.put(document, event.get("document"));
            case "leave" -> documents.remove(document);
            default -> {}
        }
        lastId = id.isEmpty() ? lastId : id;
        events.add((kind + " " + document + " " + event.path("reason").asString("")).strip());
    }
}
