package io.millrace.metakvservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.OpenApiExamples;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the examples of the OpenAPI document as Swagger UI sends them. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(MemoryStore.class)
class OpenApiExamplesTest {

    /** Need eventing nodes that follow, or a running change: TopologyHttpTest covers them. */
    private static final Set<String> NEED_MORE = Set.of("rebalance", "failover", "cancel");

    /** Make what the others read. */
    private static final List<String> FIRST = List.of("setEntry", "register", "append");

    /** Answer with bodies that the document describes apart from the code that writes them. */
    private static final Set<String> OF_STREAMS = Set.of("append", "getStream", "events", "prune");

    @LocalServerPort
    private int port;

    @Test
    void examples_answer2xxWhenRunAsTheyAre_andBodiesOfStreamsAreAsDeclared() throws Exception {
        Map<String, String> refused = new TreeMap<>();
        int run = 0;
        try (OpenApiExamples api = OpenApiExamples.of("http://127.0.0.1:" + port, "Administrator:password")) {
            for (String operation : api.operations()) {
                if (NEED_MORE.contains(operation)) {
                    continue;
                }
                for (String first : FIRST) {
                    api.run(first, 0);
                }
                OpenApiExamples.Result result = api.run(operation, 0);
                run++;
                if (result.status() / 100 != 2) {
                    refused.put(operation, result.status() + " " + result.body());
                } else if (OF_STREAMS.contains(operation)) {
                    JsonNode body = JsonMapper.shared().readTree(result.body());
                    compare(api.document(), operation, body, api.response(operation));
                }
            }
        }

        assertThat(refused).isEmpty();
        assertThat(run).isGreaterThan(12);
    }

    /** Checks that a value has the members that the schema declares, and all that are required. */
    private static void compare(JsonNode document, String where, JsonNode value, JsonNode declared) {
        JsonNode schema = declared.has("$ref")
                ? document.at(declared.get("$ref").asString().substring(1))
                : declared;
        if (value.isArray()) {
            assertThat(value).as(where).isNotEmpty();
            compare(document, where + "[]", value.get(0), schema.path("items"));
            return;
        }
        List<String> required =
                schema.path("required").valueStream().map(JsonNode::asString).toList();
        assertThat(value.propertyNames())
                .as(where)
                .isSubsetOf(schema.path("properties").propertyNames())
                .containsAll(required);
        if (value.has("events")) {
            compare(document, where + ".events", value.get("events"), schema.at("/properties/events"));
        }
    }
}
