package io.millrace.launcher.shell;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Runs one statement once; its rows are passed on as they arrive. {@link #cancel} is for another thread. */
final class StatementRun {

    /** Keeps the digits of decimals. */
    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** Reads one value of a response, which goes on behind it. */
    private static final ObjectReader VALUES =
            MAPPER.readerFor(JsonNode.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final long CANCEL_EVERY_MILLIS = 100;

    private final QueryGateway gateway;
    private final String id = "shell-" + UUID.randomUUID();
    private final CountDownLatch finished = new CountDownLatch(1);
    private final AtomicBoolean cancelled = new AtomicBoolean();

    StatementRun(QueryGateway gateway) {
        this.gateway = gateway;
    }

    /**
     * Sends the statement and waits for its end.
     *
     * @param rows takes a row; returns false to end the statement
     * @return the response without its rows
     * @throws LauncherException if the suite cannot be reached, or the response ends early
     */
    Answer run(String statement, Map<String, JsonNode> parameters, Predicate<JsonNode> rows) {
        ObjectNode request =
                MAPPER.createObjectNode().put("statement", statement).put("client_context_id", id);
        parameters.forEach((name, value) -> request.set("$" + name, value));
        try (QueryGateway.Reply reply = gateway.send("POST", "/query/service", request.toString())) {
            return read(reply, rows);
        } catch (IOException e) {
            throw new LauncherException("The connection to the suite broke: " + e.getMessage(), e);
        } finally {
            finished.countDown();
        }
    }

    /** Whether it was cancelled. */
    boolean isCancelled() {
        return cancelled.get();
    }

    /**
     * Cancels the statement on the server, and returns when it has ended or {@code timeoutMillis} have passed. A statement
     * that the server does not know yet is cancelled as soon as it is known.
     */
    void cancel(long timeoutMillis) throws InterruptedException {
        cancelled.set(true);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (System.nanoTime() < end) {
            try {
                cancelOnServer();
            } catch (IOException | LauncherException | JacksonException e) {
                return; // the request, too, fails where the suite is gone
            }
            if (finished.await(CANCEL_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private void cancelOnServer() throws IOException {
        try (QueryGateway.Reply active = gateway.send("GET", "/admin/active_requests", "")) {
            for (JsonNode request : MAPPER.readTree(active.body())) {
                if (request.path("clientContextID").asString("").equals(id)) {
                    String path = "/admin/active_requests/"
                            + request.path("requestId").asString();
                    gateway.send("DELETE", path, "").close();
                }
            }
        }
    }

    private Answer read(QueryGateway.Reply reply, Predicate<JsonNode> rows) throws IOException {
        ObjectNode rest = MAPPER.createObjectNode();
        long count = 0;
        try (InputStream body = reply.body();
                JsonParser parser = MAPPER.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new LauncherException("The suite answered HTTP " + reply.status() + " without a JSON object");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                if (!field.equals("results")) {
                    rest.set(field, VALUES.<JsonNode>readValue(parser));
                    continue;
                }
                rest.putArray(field);
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    count++;
                    if (!rows.test(VALUES.readValue(parser))) {
                        cancelled.set(true);
                        return new Answer(reply.status(), count, rest); // closing the response ends the statement
                    }
                }
            }
        } catch (JacksonException e) {
            if (count == 0 && rest.isEmpty()) {
                throw new LauncherException("The suite answered HTTP " + reply.status() + " without valid JSON", e);
            }
            throw new LauncherException("The response ended early, after " + count + " rows", e);
        }
        return new Answer(reply.status(), count, rest);
    }
}
