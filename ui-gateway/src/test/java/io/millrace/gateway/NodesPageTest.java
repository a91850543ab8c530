package io.millrace.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.TypeLiteral;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the page of nodes makes of the services' answers. */
class NodesPageTest {

    private static final String MOVING = """
            {"mode": "auto", "live": ["a", "b", "c"], "members": ["a", "b", "gone"], "out": [], "frozen": true,
             "rebalancing": true, "planned": {"a": "0-340", "b": "341-681", "c": "682-1023"},
             "before": {"a": "0-511", "b": "512-1023"},
             "change": {"message": {"id": "c7", "type": "topology-change-rebalance"}, "phase": "EXECUTION",
                        "cancel": true, "error": ""}}""";

    private static final String FAILED = """
            {"mode": "manual", "live": ["a", "b"], "members": ["a"], "out": ["b"], "frozen": false,
             "rebalancing": false, "planned": {"a": "0-1023"}, "before": {},
             "change": {"message": {"id": "c8", "type": "topology-change-failover"}, "phase": "FAILED",
                        "cancel": false, "error": "c did not prepare"}}""";

    private static final String NO_TASKS = "{\"rev\": \"\", \"tasks\": []}";

    private Context page;

    @BeforeEach
    void load() throws IOException {
        page = Context.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
        try (InputStream script = Objects.requireNonNull(getClass().getResourceAsStream("/static/nodes.js"))) {
            page.eval("js", new String(script.readAllBytes(), UTF_8));
        }
    }

    @AfterEach
    void close() {
        page.close();
    }

    @Test
    void summary_namesTheChangeInProgress() {
        assertThat(strings(call("summary", MOVING)))
                .containsExactly(
                        "2 of 3 nodes alive, mode auto.",
                        "Change c7 (topology-change-rebalance) is in progress, phase execution.",
                        "The change is being cancelled.");
    }

    @Test
    void summary_givesTheReasonOfTheLastFailureAndTheRemovedNodes() {
        assertThat(strings(call("summary", FAILED)))
                .containsExactly(
                        "1 of 1 nodes alive, mode manual.",
                        "The last change failed: c did not prepare",
                        "Removed although alive: b. The next requested rebalance adds them again.");
    }

    @Test
    void nodeRows_showStateAndVbucketsBeforeAndAfter() {
        String tasks = "{\"rev\": \"1\", \"tasks\": [{\"id\": \"c7\", \"detailedProgress\": {\"a\": 0.5, \"c\": 1}}]}";

        assertThat(rows(call("nodeRows", MOVING, tasks)))
                .containsExactly(
                        List.of("a", "alive", "341: 0-340", "512: 0-511", "50 %"),
                        List.of("b", "alive", "341: 341-681", "512: 512-1023", ""),
                        List.of("c", "not a member yet", "342: 682-1023", "none", "100 %"),
                        List.of("gone", "not alive", "none", "none", ""));
        String preparing = tasks.replace("\"id\"", "\"type\": \"task-prepared\", \"id\"");
        assertThat(rows(call("nodeRows", MOVING, preparing)))
                .extracting(row -> row.get(4))
                .containsExactly("preparing", "", "prepared", "");
        assertThat(rows(call("nodeRows", FAILED, NO_TASKS)))
                .containsExactly(
                        List.of("a", "alive", "1024: 0-1023", "", ""), List.of("b", "removed", "none", "", ""));
    }

    @Test
    void functionRows_showOwnersAndUnsettledVbuckets() {
        String ownership = """
                {"functions": {
                  "f": {"owned": {"-": "10", "a": "0-9,11", "b": "512"}, "unsettled": "10,12-511", "ownerless": "10"},
                  "my bucket/s/g": {"owned": {}, "unsettled": "", "ownerless": ""}}}""";

        assertThat(rows(call("functionRows", ownership)))
                .containsExactly(
                        List.of(
                                "f",
                                "a 11: 0-9,11; b 1: 512",
                                "501: 10,12-511",
                                "1: 10",
                                "getAggOwnedVbsForApp?name=f"),
                        List.of(
                                "my bucket/s/g",
                                "none",
                                "none",
                                "none",
                                "getAggOwnedVbsForApp?name=g&bucket=my%20bucket&scope=s"));
    }

    @Test
    void nodes_areShownIfNoEventingNodeAnswers() {
        page.eval("js", """
                const answered = {'api/v1/topology': %s, 'api/v1/topology/tasks': %s};
                let shown = 'nothing';
                answers(async (path) => {
                  if (path in answered) {
                    return answered[path];
                  }
                  throw new Error(path + ' answered 502');
                }).then(({sentences, nodes, functions}) => {
                  shown = [sentences.at(-1), nodes.length, functions.length].join();
                });
                """.formatted(MOVING, NO_TASKS));

        assertThat(page.eval("js", "shown").asString())
                .isEqualTo("No eventing node answers, so owners are unknown.,4,0");
    }

    private Value call(String function, String... json) {
        Value parse = page.eval("js", "JSON.parse");
        Object[] arguments = Stream.of(json).map(parse::execute).toArray();
        return page.getBindings("js").getMember(function).execute(arguments);
    }

    private static List<String> strings(Value array) {
        return array.as(new TypeLiteral<List<String>>() {});
    }

    private static List<List<String>> rows(Value array) {
        return array.as(new TypeLiteral<List<List<String>>>() {}).stream()
                .map(List::copyOf)
                .toList();
    }
}
