package io.millrace.worker.cases;

import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.worker.HandlerCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An example of what functions do, with cases that say what it does. A file of them has {@code == name} with additions to the
 * definition where there are any, then the code unless it is elsewhere, then cases behind {@code --}.
 */
record Topic(String name, ObjectNode definition, ArrayNode cases) {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String DEFINITION = """
            {"appname": "topic",
             "depcfg": {
               "source_bucket": "src", "metadata_bucket": "meta",
               "buckets": [{"alias": "own", "bucket_name": "src", "access": "rw"},
                           {"alias": "dst", "bucket_name": "dst", "access": "rw"},
                           {"alias": "lookup", "bucket_name": "lookup", "access": "r"}],
               "curl": [{"value": "api", "hostname": "http://api.example"}]}}""";

    /** Returns the topics of a file among the resources of tests. */
    static List<Topic> of(String resource) {
        return Arrays.stream(text(resource).split("(?m)^== "))
                .skip(1)
                .map(Topic::parse)
                .toList();
    }

    private static String text(String resource) {
        try (InputStream in = Objects.requireNonNull(Topic.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Topic parse(String text) {
        String[] parts = text.split("(?m)^-- ");
        String head = parts[0];
        int code = head.contains("\nfunction ") ? head.indexOf("\nfunction ") + 1 : head.length();
        String title = head.substring(0, code).strip();
        int blank = title.indexOf(' ');
        ObjectNode definition = (ObjectNode) JSON.readTree(DEFINITION);
        if (blank > 0) {
            ((ObjectNode) definition.path("depcfg"))
                    .setAll((ObjectNode) JSON.readTree(title.substring(blank)).path("depcfg"));
        }
        ArrayNode cases = JSON.createArrayNode();
        Arrays.stream(parts).skip(1).map(JSON::readTree).forEach(cases::add);
        return new Topic(blank > 0 ? title.substring(0, blank) : title, definition, cases)
                .withCode(head.substring(code));
    }

    Topic withCode(String code) {
        return new Topic(name, definition.deepCopy().put("appcode", code), cases);
    }

    /** Runs the cases, and returns what is not as they say. */
    List<String> failures(HandlerEngine engine) {
        CompletableFuture<List<String>> failures = new CompletableFuture<>();
        HandlerEngine.newThread("topic", () -> {
                    try {
                        failures.complete(run(engine));
                    } catch (RuntimeException | Error e) {
                        failures.completeExceptionally(e);
                    }
                })
                .start();
        return failures.join();
    }

    private List<String> run(HandlerEngine engine) {
        Definition parsed = Definition.of(definition, Map.of());
        Handler handler = (Handler) engine.compile(HandlerCode.spec(parsed.setup()));
        Cases runner = new Cases(engine, handler, parsed, (why, message, cause) -> {
            throw new AssertionError(message, cause);
        });
        List<String> failures = new ArrayList<>();
        for (JsonNode test : cases) {
            ObjectNode result = runner.run(test);
            result.path("failures").forEach(failure -> failures.add(failure.asString() + " in " + result));
        }
        return failures;
    }

    @Override
    public String toString() {
        return name;
    }
}
