package io.millrace.eventing.http.functions;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.Status;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.http.peers.Peers;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * States of functions, answered from memory on the event loop, so that clients can poll. Endpoints that cover all nodes ask
 * the other nodes.
 */
@RestController
@Tag(name = "status", description = "States of functions")
class StatusController {

    private static final String ALL = "/api/v1/status";
    private static final List<String> DEPLOYED = List.of("deployed");
    private static final List<String> BOOTSTRAPPING = List.of("deploying", "resuming");

    private final Status status;
    private final Peers peers;

    StatusController(Status status, Peers peers) {
        this.status = status;
        this.peers = peers;
    }

    @GetMapping({ALL, "/getStatus"})
    @Operation(
            summary = "States of all functions",
            description = "The counts of nodes cover all nodes that answer in time. With `aggregate=false` this node"
                    + " answers for itself.")
    Mono<ObjectNode> all(@RequestParam(required = false) @Nullable String aggregate, Asker asker) {
        return Peers.wanted(aggregate)
                ? peers.askAll(ALL, Map.of()).map(replies -> status.all(answers(replies), asker::reads))
                : Mono.fromSupplier(() -> status.all(List.of(), asker::reads));
    }

    @GetMapping(ALL + "/{name}")
    @Operation(
            summary = "State of a function, with the reason if it failed to deploy",
            description = "The counts of nodes cover all nodes that answer in time.")
    Mono<ObjectNode> one(FunctionName name, @RequestParam(required = false) @Nullable String aggregate) {
        ObjectNode here = status.one(name, List.of());
        return Peers.wanted(aggregate)
                ? peers.ask(HttpMethod.GET, path(name), name, Map.of())
                        .map(replies -> status.one(name, answers(replies)))
                : Mono.just(here);
    }

    /** Returns the path of the state of a function on one node. */
    static String path(FunctionName name) {
        return ALL + "/" + name.name();
    }

    private static List<JsonNode> answers(List<Peers.Reply> replies) {
        return Peers.Reply.answered(replies).stream().map(Peers.Reply::json).toList();
    }

    @GetMapping({"/api/v1/list/functions", "/api/v1/list/functions/query"})
    @Operation(summary = "Names of functions, filtered")
    Map<String, List<String>> list(
            @RequestParam(name = "source_bucket", required = false) @Nullable String sourceBucket,
            @RequestParam(name = "source_scope", required = false) @Nullable String sourceScope,
            @RequestParam(name = "source_collection", required = false) @Nullable String sourceCollection,
            @RequestParam(name = "function_type", required = false) @Nullable String type,
            @RequestParam(required = false) @Nullable String deployed,
            @RequestParam(name = "curl_binding", required = false) @Nullable String curlBinding,
            Asker asker) {
        Status.Filter filter = new Status.Filter(
                sourceBucket,
                sourceScope,
                sourceCollection,
                Requests.flag("deployed", deployed),
                writesToSource(type),
                Requests.flag("curl_binding", curlBinding));
        return Map.of("functions", status.names(filter, asker::reads));
    }

    private static @Nullable Boolean writesToSource(@Nullable String type) {
        return switch (type) {
            case null -> null;
            case "sbm" -> Boolean.TRUE;
            case "notsbm" -> Boolean.FALSE;
            default ->
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST,
                        "function_type must be sbm or notsbm, not '%s'.".formatted(type));
        };
    }

    @GetMapping("/getLocallyDeployedApps")
    @Operation(summary = "Functions that are deployed on this node, and since when")
    Map<String, String> deployedHere() {
        return status.inStatus(DEPLOYED);
    }

    @GetMapping("/getDeployedApps")
    @Operation(
            summary = "Functions that are deployed on every node, and since when",
            description = "Nodes that do not answer in time are ignored.")
    Mono<Map<String, String>> deployedEverywhere() {
        Map<String, String> here = status.inStatus(DEPLOYED);
        return peers.askAll("/getLocallyDeployedApps", Map.of()).map(replies -> {
            Map<String, String> everywhere = new TreeMap<>(here);
            Peers.Reply.answered(replies)
                    .forEach(reply -> everywhere.keySet().retainAll(reply.json().propertyNames()));
            return everywhere;
        });
    }

    @GetMapping("/getRunningApps")
    @Operation(summary = "Functions that are deployed, deploying or resuming, and since when")
    Map<String, String> running() {
        return status.inStatus(List.of("deployed", "deploying", "resuming"));
    }

    @GetMapping("/getBootstrappingApps")
    @Operation(summary = "Functions that are being deployed or resumed on this node, and since when")
    Map<String, String> bootstrapping() {
        return status.inStatus(BOOTSTRAPPING);
    }

    @GetMapping(value = "/getBootstrapStatus", produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "Whether a function is being deployed or resumed on this node: true or false")
    String bootstraps() {
        return Boolean.toString(!bootstrapping().isEmpty());
    }

    @GetMapping(
            value = {"/getAggBootstrappingApps", "/getAggBootstrapStatus"},
            produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "Whether a function is being deployed or resumed on any node: true or false")
    Mono<String> bootstrapsAnywhere() {
        return bootstrappingAnywhere().map(names -> Boolean.toString(!names.isEmpty()));
    }

    @GetMapping(value = "/getBootstrapAppStatus", produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "Whether this function is being deployed or resumed on this node: true or false")
    String appBootstraps(
            @RequestParam String appName,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        return Boolean.toString(bootstrapping().containsKey(known(appName, bucket, scope)));
    }

    @GetMapping(value = "/getAggBootstrapAppStatus", produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "Whether this function is being deployed or resumed on any node: true or false")
    Mono<String> appBootstrapsAnywhere(
            @RequestParam String appName,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope) {
        String name = known(appName, bucket, scope);
        return bootstrappingAnywhere().map(names -> Boolean.toString(names.contains(name)));
    }

    /** Fails if the function does not exist. */
    private String known(String name, @Nullable String bucket, @Nullable String scope) {
        return status.summary(FunctionName.of(bucket, scope, name)).name().toString();
    }

    private Mono<Set<String>> bootstrappingAnywhere() {
        Set<String> here = bootstrapping().keySet();
        return peers.askAll("/getBootstrappingApps", Map.of()).map(replies -> {
            Set<String> anywhere = new TreeSet<>(here);
            replies.forEach(reply -> anywhere.addAll(reply.json().propertyNames()));
            return anywhere;
        });
    }

    @GetMapping("/getPausingApps")
    @Operation(summary = "Functions that are being paused, and since when")
    Map<String, String> pausing() {
        return status.inStatus(List.of("pausing"));
    }
}
