package io.millrace.launcher.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;

/** Answers statements as it was told, and runs the statement {@code SELECT forever} until it is cancelled. */
final class StandInGateway implements QueryGateway {

    static final String FOREVER = "SELECT forever";

    final List<JsonNode> requests = Collections.synchronizedList(new ArrayList<>());
    final List<String> cancelled = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, String> answers = new LinkedHashMap<>();
    private final Map<String, CountDownLatch> active = new ConcurrentHashMap<>();

    /** Answers statements that begin with {@code statement}; the first that fits counts. */
    StandInGateway answer(String statement, String answer) {
        answers.put(statement, answer);
        return this;
    }

    List<String> statements() {
        return requests.stream()
                .map(request -> request.path("statement").asString())
                .toList();
    }

    boolean isBusy() {
        return !active.isEmpty();
    }

    @Override
    public Reply send(String method, String path, String json) {
        if (path.equals("/query/service")) {
            JsonNode request = StatementRun.MAPPER.readTree(json);
            requests.add(request);
            return reply(statement(request));
        }
        String id = path.substring(path.lastIndexOf('/') + 1);
        if (method.equals("DELETE")) {
            cancelled.add(id);
            CountDownLatch end = active.get(id);
            if (end != null) {
                end.countDown();
            }
            return reply("true");
        }
        List<String> requests = active.keySet().stream()
                .map(each -> "{\"requestId\":\"" + each + "\",\"clientContextID\":\"" + each.substring(2) + "\"}")
                .toList();
        return reply("[" + String.join(",", requests) + "]");
    }

    private String statement(JsonNode request) {
        String statement = request.path("statement").asString();
        if (statement.equals(FOREVER)) {
            return forever("r-" + request.path("client_context_id").asString());
        }
        return answers.entrySet().stream()
                .filter(entry -> statement.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("{\"results\":[],\"metrics\":{\"elapsedTime\":\"1ms\"}}");
    }

    private String forever(String id) {
        CountDownLatch end = new CountDownLatch(1);
        active.put(id, end);
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            active.remove(id);
        }
        return "{\"results\":[],\"errors\":[{\"code\":1081,\"msg\":\"Request was cancelled\"}],\"status\":\"stopped\"}";
    }

    private static Reply reply(String body) {
        return new Reply(body.contains("\"errors\"") ? 400 : 200, new ByteArrayInputStream(body.getBytes(UTF_8)));
    }
}
