package io.millrace.eventing.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Keyspace;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class FunctionGraphTest {

    @Test
    void order_hasEachFunctionBeforeThoseThatWakeIt() {
        FunctionGraph graph = graph(function("a", "x", "y"), function("b", "y", "z"), function("c", "y", "w"));

        assertThat(wakes(graph, "a")).containsExactly("b", "c");
        assertThat(wakes(graph, "b")).isEmpty();
        assertThat(names(graph.deployOrder())).containsExactly("b", "c", "a");
        assertThat(graph.cycles()).isEmpty();
    }

    @Test
    void functionsThatWakeEachOther_areACycle() {
        FunctionGraph graph = graph(
                function("before", "v", "x"),
                function("a", "x", "y"),
                function("b", "y", "z"),
                function("c", "z", "x"),
                function("after", "z", "end"),
                function("own", "o", "o"));

        assertThat(graph.cycles())
                .singleElement()
                .satisfies(cycle -> assertThat(names(cycle)).containsExactly("a", "b", "c"));
        assertThat(names(graph.deployOrder())).containsExactly("after", "a", "b", "c", "before", "own");
        assertThat(wakes(graph, "own")).isEmpty();
    }

    @Test
    void statementsAndSeveralCollections_count() {
        ObjectNode everywhere = SampleDefinitions.json("everywhere", "x", "y");
        ((ObjectNode) everywhere.at("/depcfg/buckets/0")).put("scope_name", "*").put("collection_name", "*");
        ObjectNode shop = SampleDefinitions.json("shop", "y", "end");
        ((ObjectNode) shop.path("depcfg")).put("source_scope", "shop").put("source_collection", "orders");
        FunctionDefinition teller = function("teller", "t", "end");

        FunctionGraph graph = FunctionGraph.of(
                List.of(SampleDefinitions.read(everywhere), SampleDefinitions.read(shop), teller),
                of -> of == teller
                        ? new CodeCheck.Named(
                                List.of(Keyspace.of("prices")), List.of(new Keyspace("y", "shop", "orders")))
                        : CodeCheck.Named.NOTHING);

        assertThat(wakes(graph, "everywhere")).containsExactly("shop");
        assertThat(wakes(graph, "teller")).containsExactly("shop");
        assertThat(node(graph, "teller").writes()).extracting(Keyspace::bucket).containsExactlyInAnyOrder("end", "y");
        assertThat(node(graph, "teller").reads()).containsExactly(Keyspace.of("prices"));
    }

    @Test
    void functionThatPublishes_wakesThoseOfTheTopic() {
        FunctionDefinition stream = publishing("stream", "redis-stream", "paid");
        FunctionDefinition channel = publishing("channel", "redis-channel", "paid");
        FunctionDefinition other = publishing("other", "redis-stream", "sent");
        ObjectNode json = SampleDefinitions.json("handler").put("appcode", "function OnMessage(message, meta) {}");
        json.putObject("depcfg").put("source_topic", "paid").put("metadata_bucket", "meta");

        ObjectNode listening =
                SampleDefinitions.json("listener").put("appcode", "function OnMessage(message, meta) {}");
        listening
                .putObject("depcfg")
                .put("source_topic", "paid")
                .put("source_kind", "redis-channel")
                .put("metadata_bucket", "meta");

        FunctionGraph graph =
                graph(stream, channel, other, SampleDefinitions.read(json), SampleDefinitions.read(listening));

        assertThat(wakes(graph, "stream")).containsExactly("handler");
        assertThat(wakes(graph, "channel")).containsExactly("listener");
        assertThat(wakes(graph, "other")).isEmpty();
    }

    @Test
    void functionThatPublishesToKafka_wakesThoseOfTheTopicInThisCluster() {
        ObjectNode json = SampleDefinitions.json("handler").put("appcode", "function OnMessage(message, meta) {}");
        json.putObject("depcfg")
                .put("source_topic", "paid")
                .put("source_cluster", "shop")
                .put("metadata_bucket", "meta");

        FunctionGraph graph = graph(
                publishing("shop", "kafka", "shop", "paid"),
                publishing("other", "kafka", "stock", "paid"),
                publishing("redis", "redis-stream", "paid"),
                SampleDefinitions.read(json));

        assertThat(wakes(graph, "shop")).containsExactly("handler");
        assertThat(wakes(graph, "other")).isEmpty();
        assertThat(wakes(graph, "redis")).isEmpty();
    }

    private static FunctionDefinition publishing(String name, String kind, String cluster, String topic) {
        ObjectNode json = SampleDefinitions.json(name, name + "-source", "end");
        ((ObjectNode) json.path("depcfg"))
                .putArray("topics")
                .addObject()
                .put("value", "orders")
                .put("kind", kind)
                .put("cluster", cluster)
                .put("topic", topic);
        return SampleDefinitions.read(json);
    }

    private static FunctionDefinition publishing(String name, String kind, String topic) {
        ObjectNode json = SampleDefinitions.json(name, name + "-source", "end");
        ((ObjectNode) json.path("depcfg"))
                .putArray("topics")
                .addObject()
                .put("value", "orders")
                .put("kind", kind)
                .put("topic", topic);
        return SampleDefinitions.read(json);
    }

    private static FunctionGraph graph(FunctionDefinition... functions) {
        return FunctionGraph.of(Arrays.asList(functions), function -> CodeCheck.Named.NOTHING);
    }

    private static FunctionDefinition function(String name, String source, String destination) {
        return SampleDefinitions.read(SampleDefinitions.json(name, source, destination));
    }

    private static FunctionGraph.Node node(FunctionGraph graph, String name) {
        return graph.nodes().stream()
                .filter(node -> node.function().name().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> wakes(FunctionGraph graph, String name) {
        return names(node(graph, name).wakes());
    }

    private static List<String> names(List<FunctionName> names) {
        return names.stream().map(FunctionName::name).toList();
    }
}
