package io.millrace.worker.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.worker.HandlerCode;
import io.millrace.worker.bindings.QueryBinding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A handler for each example in Couchbase's documentation of Eventing, under the name of that example, with what the
 * documentation says that it does. The files have {@code == name} with additions to the definition where there are any, then
 * the code, then cases behind {@code --}.
 */
class TopicsTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TimeZone OF_THE_MACHINE = TimeZone.getDefault();
    private static final HandlerEngine ENGINE = HandlerEngine.start(QueryBinding::read, why -> {});
    private static final String DEFINITION = """
            {"appname": "topic",
             "depcfg": {
               "source_bucket": "src", "metadata_bucket": "meta",
               "buckets": [{"alias": "own", "bucket_name": "src", "access": "rw"},
                           {"alias": "dst", "bucket_name": "dst", "access": "rw"},
                           {"alias": "lookup", "bucket_name": "lookup", "access": "r"}],
               "curl": [{"value": "api", "hostname": "http://api.example"}]}}""";

    private record Topic(String name, ObjectNode definition, ArrayNode cases) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** The documentation shows what its examples do in a time zone that is not UTC. */
    @BeforeAll
    static void moveToTheZoneOfTheDocumentation() {
        TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
    }

    @AfterAll
    static void close() {
        TimeZone.setDefault(OF_THE_MACHINE);
        ENGINE.close();
    }

    static List<Topic> topics() {
        return Stream.of(
                        "1-tasks.kit",
                        "2-basics.kit",
                        "3-statements.kit",
                        "4-shapes.kit",
                        "5-accessors.kit",
                        "6-bytes.kit")
                .flatMap(file -> Arrays.stream(text(file).split("(?m)^== ")).skip(1))
                .map(TopicsTest::topic)
                .toList();
    }

    private static String text(String file) {
        try (InputStream in = Objects.requireNonNull(TopicsTest.class.getResourceAsStream("/topics/" + file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Topic topic(String text) {
        String[] parts = text.split("(?m)^-- ");
        String head = parts[0];
        int code = head.indexOf("\nfunction ") + 1;
        String title = head.substring(0, code).strip();
        int blank = title.indexOf(' ');
        ObjectNode definition = (ObjectNode) JSON.readTree(DEFINITION);
        if (blank > 0) {
            ((ObjectNode) definition.path("depcfg"))
                    .setAll((ObjectNode) JSON.readTree(title.substring(blank)).path("depcfg"));
        }
        definition.put("appcode", head.substring(code));
        ArrayNode cases = JSON.createArrayNode();
        Arrays.stream(parts).skip(1).map(JSON::readTree).forEach(cases::add);
        return new Topic(blank > 0 ? title.substring(0, blank) : title, definition, cases);
    }

    @ParameterizedTest
    @MethodSource("topics")
    void topic_doesWhatIsDocumented(Topic topic) {
        assertThat(topic.cases()).as("cases").isNotEmpty();
        CompletableFuture<List<String>> failures = new CompletableFuture<>();
        HandlerEngine.newThread("topic", () -> {
                    try {
                        failures.complete(failures(topic));
                    } catch (RuntimeException | Error e) {
                        failures.completeExceptionally(e);
                    }
                })
                .start();

        assertThat(failures.join()).isEmpty();
    }

    private static List<String> failures(Topic topic) {
        Definition definition = Definition.of(topic.definition(), Map.of());
        Handler handler = (Handler) ENGINE.compile(HandlerCode.spec(definition.setup()));
        Cases cases = new Cases(ENGINE, handler, definition, (why, message, cause) -> {
            throw new AssertionError(message, cause);
        });
        List<String> failures = new ArrayList<>();
        for (JsonNode test : topic.cases()) {
            ObjectNode result = cases.run(test);
            result.path("failures").forEach(failure -> failures.add(failure.asString() + " in " + result));
        }
        return failures;
    }

    @Test
    void topics_areThoseOfTheDocumentation() {
        assertThat(topics().stream().map(Topic::name)).hasSize(51).doesNotHaveDuplicates();
    }
}
