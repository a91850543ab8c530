package io.millrace.eventing.http.functions;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.definition.DefinitionWriter;
import io.millrace.eventing.definition.DeploymentConfig.CurlBinding;
import io.millrace.eventing.definition.DeploymentConfig.SqlBinding;
import io.millrace.eventing.definition.DeploymentConfig.TopicBinding;
import io.millrace.eventing.definition.FunctionGraph;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.Definitions;
import io.millrace.eventing.functions.Status;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Requests;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows the graph of the functions that the asking user may read; the others are left out everywhere. */
@RestController
@Tag(name = "functions", description = "Definitions of functions, their export and import")
class DependencyController {

    private static final Status.Filter DEPLOYED = new Status.Filter(null, null, null, true, null, null);

    private final Definitions definitions;
    private final Status status;

    DependencyController(Definitions definitions, Status status) {
        this.definitions = definitions;
        this.status = status;
    }

    @GetMapping("/api/v1/dependencies")
    @Operation(summary = "What functions read, write, call, publish and import, and which of them wake which others")
    Mono<ObjectNode> graph(Asker asker) {
        return Requests.work(
                () -> json(definitions.graph(asker::reads), Set.copyOf(status.names(DEPLOYED, asker::reads))));
    }

    private static ObjectNode json(FunctionGraph graph, Set<String> deployed) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        ArrayNode functions = json.putArray("functions");
        for (FunctionGraph.Node node : graph.nodes()) {
            FunctionName name = node.function().name();
            ObjectNode function = functions.addObject();
            function.put("name", name.name());
            function.set("function_scope", DefinitionWriter.scope(name));
            function.put("deployed", deployed.contains(name.toString()));
            function.put("source", node.function().deployment().sourceName());
            add(function.putArray("reads"), node.reads().stream().map(Keyspace::toString));
            add(function.putArray("writes"), node.writes().stream().map(Keyspace::toString));
            add(function.putArray("calls"), urls(node));
            add(
                    function.putArray("publishes"),
                    node.function().deployment().topics().stream()
                            .map(TopicBinding::shown)
                            .distinct());
            add(function.putArray("imports"), node.imports().stream());
            add(function.putArray("wakes"), names(node.wakes()));
            add(function.putArray("woken_by"), names(graph.wakers(name)));
        }
        add(json.putArray("deploy_order"), names(graph.deployOrder()));
        ArrayNode cycles = json.putArray("cycles");
        graph.cycles().forEach(cycle -> add(cycles.addArray(), names(cycle)));
        return json;
    }

    private static Stream<String> urls(FunctionGraph.Node node) {
        return Stream.concat(
                        node.function().deployment().curl().stream().map(CurlBinding::hostname),
                        node.function().deployment().sql().stream()
                                .map(SqlBinding::url)
                                .map(url -> url.split("[?;]", 2)[0]))
                .distinct();
    }

    private static Stream<String> names(List<FunctionName> names) {
        return names.stream().map(FunctionName::toString);
    }

    private static void add(ArrayNode array, Stream<String> texts) {
        texts.forEach(array::add);
    }
}
