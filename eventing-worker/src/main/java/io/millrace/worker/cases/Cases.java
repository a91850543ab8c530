package io.millrace.worker.cases;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.HandlerRejected;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.worker.Exit;
import io.millrace.worker.HandlerCode;
import io.millrace.worker.trial.Answers;
import io.millrace.worker.trial.Moment;
import io.millrace.worker.trial.Trial;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Runs cases of one function, each on documents of its own. */
final class Cases {

    /** Where the clock of a case stands at first unless it says otherwise. */
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final IndexDefinition PRIMARY = IndexDefinition.primary(IndexDefinition.PRIMARY_NAME);

    private final HandlerEngine engine;
    private final Handler handler;
    private final Definition function;
    private final Exit exit;

    /** @param handler the function without values that are given */
    Cases(HandlerEngine engine, Handler handler, Definition function, Exit exit) {
        this.engine = engine;
        this.handler = handler;
        this.function = function;
        this.exit = exit;
    }

    /** Fails when an object has unknown members: an expectation with a typing mistake would always be met. */
    static void members(String what, JsonNode object, Set<String> known) {
        if (!object.isMissingNode() && !object.isObject()) {
            throw new MalformedCase("%s must be an object, not %s".formatted(what, object));
        }
        for (String name : object.propertyNames()) {
            if (!known.contains(name)) {
                throw new MalformedCase("%s has no member '%s'; it can have %s"
                        .formatted(
                                what,
                                name,
                                String.join(", ", known.stream().sorted().toList())));
            }
        }
    }

    /** Returns the bytes of a value in Base64. */
    static byte[] bytes(JsonNode base64) {
        try {
            return Base64.getDecoder().decode(base64.asString(""));
        } catch (IllegalArgumentException e) {
            throw new MalformedCase("base64 must be bytes in Base64, not " + base64);
        }
    }

    /** Runs a case and returns whether it passed, why not, and what the code did. */
    ObjectNode run(JsonNode test) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        ArrayNode failures = JsonNodeFactory.instance.arrayNode();
        long begin = System.nanoTime();
        try {
            members("a case", test, Set.of("name", "given", "when", "then"));
            Expectation expected = new Expectation(test.path("then"), function);
            try (Trial trial = trial(test.path("given"), false)) {
                List<ObjectNode> invocations = steps(trial, test.path("when"));
                expected.compare(trial, invocations).forEach(failures::add);
                result.putArray("invocations").addAll(invocations);
            }
        } catch (MalformedCase e) {
            failures.add(e.getMessage());
        }
        return result.put("name", test.path("name").asString("without a name"))
                .put("passed", failures.isEmpty())
                .put("millis", (System.nanoTime() - begin) / 1_000_000)
                .set("failures", failures);
    }

    /** Runs steps without expectations; requests without a response get 200 and no body. */
    List<ObjectNode> show(JsonNode given, JsonNode when) {
        try (Trial trial = trial(given, true)) {
            return steps(trial, when);
        }
    }

    private List<ObjectNode> steps(Trial trial, JsonNode when) {
        if (!when.isArray() || when.isEmpty()) {
            throw new MalformedCase("when must be an array of steps, such as {\"update\": {\"id\": ...}}");
        }
        Steps steps = new Steps(trial, function);
        List<ObjectNode> invocations = new ArrayList<>();
        when.forEach(step -> invocations.addAll(steps.run(step)));
        return invocations;
    }

    private Trial trial(JsonNode given, boolean assuming) {
        members("given", given, Set.of("documents", "responses", "rows", "sql", "secrets", "now"));
        Moment clock = new Moment(now(given));
        MemoryDocumentStore store = new MemoryDocumentStore(clock);
        function.keyspaces().forEach(keyspace -> create(store, keyspace));
        for (Map.Entry<String, JsonNode> each : given.path("documents").properties()) {
            Keyspace keyspace = function.named(each.getKey());
            create(store, keyspace);
            for (Map.Entry<String, JsonNode> document : each.getValue().properties()) {
                byte[] body = document.getValue().toString().getBytes(StandardCharsets.UTF_8);
                store.write(Write.upsert(new DocumentKey(keyspace, document.getKey()), body))
                        .join();
            }
        }
        Answers answers = Answers.of(given, assuming);
        return new Trial(handler(given.path("secrets")), function.setup(), store, answers, clock, exit);
    }

    private Handler handler(JsonNode secrets) {
        if (secrets.isEmpty()) {
            return handler;
        }
        return switch (engine.compile(HandlerCode.spec(function.withSecrets(secrets)))) {
            case HandlerRejected rejected -> throw new MalformedCase("with these secrets: " + rejected.message());
            case Handler given -> given;
        };
    }

    private static Instant now(JsonNode given) {
        return given.has("now") ? Steps.time("now", given.path("now")) : START;
    }

    /**
     * Makes a collection with a primary index, so that every statement finds its documents. Does nothing for a collection that
     * there is; the store in memory has answered when it returns.
     */
    private static void create(MemoryDocumentStore store, Keyspace keyspace) {
        store.catalog()
                .createBucket(keyspace.bucket(), 1)
                .handle((made, exists) -> true)
                .join();
        store.catalog()
                .createScope(keyspace.bucket(), keyspace.scope())
                .handle((made, exists) -> true)
                .join();
        store.catalog()
                .createCollection(keyspace)
                .handle((made, exists) -> true)
                .join();
        KeyspaceName name = new KeyspaceName(keyspace.bucket(), keyspace.scope(), keyspace.collection());
        var made = new DocumentKeyspaces(store, bucket -> true, () -> null).keyspace(name);
        if (made != null) { // only the default scope has a default collection
            made.createIndex(PRIMARY).join();
        }
    }
}
