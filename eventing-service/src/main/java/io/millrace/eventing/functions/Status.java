package io.millrace.eventing.functions;

import io.millrace.eventing.definition.DefinitionWriter;
import io.millrace.eventing.definition.DeploymentConfig;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.definition.Setting;
import io.millrace.eventing.definition.Settings;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.functions.FunctionState.Failure;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import io.millrace.eventing.runtime.WorkerNotes;
import io.millrace.eventing.versions.Canary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The states of functions. Answers from memory; fails with ERR_GET_CONFIG while the functions have not been read yet.
 * Each node knows only itself: counts over nodes are sums of what each node answers.
 */
public final class Status {

    /** The number of nodes on which a function that is being paused or undeployed has not stopped. */
    private static final String STOPPING_NODES = "num_stopping_nodes";

    private static final String BOOTSTRAPPING_NODES = "num_bootstrapping_nodes";
    private static final String DEPLOYED_NODES = "num_deployed_nodes";
    private static final List<String> COUNTS = List.of(BOOTSTRAPPING_NODES, DEPLOYED_NODES, STOPPING_NODES);
    private static final String APART = "workers_apart";
    private static final String WAITING = "workers_waiting";
    private static final String COMPOSITE = "composite_status";

    private final FunctionStore store;
    private final Supplier<Set<FunctionName>> running;
    private final Predicate<StoredFunction> stopping;
    private final Function<FunctionName, WorkerNotes> notes;
    private final IntSupplier nodes;

    /**
     * @param running the functions that are running here
     * @param stopping whether a function that should stop has not stopped here
     * @param notes what is out of the ordinary about the workers of a function here
     * @param nodes the number of eventing nodes
     */
    Status(
            FunctionStore store,
            Supplier<Set<FunctionName>> running,
            Predicate<StoredFunction> stopping,
            Function<FunctionName, WorkerNotes> notes,
            IntSupplier nodes) {
        this.store = store;
        this.running = running;
        this.stopping = stopping;
        this.notes = notes;
        this.nodes = nodes;
    }

    /** What other views need to know of a function. @param boundary where it starts in the feed */
    public record Summary(FunctionName name, long handlerUuid, String boundary, boolean undeployed) {}

    /** Conditions of {@link #names}; null accepts every function. */
    public record Filter(
            @Nullable String sourceBucket,
            @Nullable String sourceScope,
            @Nullable String sourceCollection,
            @Nullable Boolean deployed,
            @Nullable Boolean writesToSource,
            @Nullable Boolean curlBinding) {}

    /** @param others the answers of the other nodes to the same question */
    public ObjectNode all(List<JsonNode> others, Predicate<FunctionName> shown) {
        Map<String, List<JsonNode>> there = new HashMap<>();
        others.forEach(other -> other.path("apps")
                .forEach(app -> there.computeIfAbsent(id(app), absent -> new ArrayList<>())
                        .add(app)));
        ObjectNode json = StoredFunction.JSON.createObjectNode();
        ArrayNode apps = json.putArray("apps");
        Set<FunctionName> here = running.get();
        store.all().stream().filter(function -> shown.test(function.name())).forEach(function -> {
            ObjectNode app = app(function, here);
            apps.add(counted(app, there.getOrDefault(id(app), List.of())));
        });
        return json.put("num_eventing_nodes", nodes.getAsInt());
    }

    /** @param others the answers of the other nodes to the same question */
    public ObjectNode one(FunctionName name, List<JsonNode> others) {
        StoredFunction function = store.find(name).orElseThrow(() -> FunctionsException.notFound(name));
        ObjectNode json = StoredFunction.JSON.createObjectNode();
        List<JsonNode> there = others.stream().map(other -> other.path("app")).toList();
        json.set("app", counted(app(function, running.get()), there));
        return json.put("num_eventing_nodes", nodes.getAsInt());
    }

    /**
     * Returns whether a function has stopped on a node, according to its answer.
     *
     * @param there the node's answer for that function
     * @param since when the function entered the state for which it stops
     */
    public static boolean ended(JsonNode there, Instant since) {
        JsonNode app = there.path("app");
        boolean heard = app.path("since").asString("").equals(since.toString());
        return heard && app.path(STOPPING_NODES).asInt() == 0;
    }

    private static String id(JsonNode app) {
        return app.path("function_scope") + " " + app.path("name");
    }

    /** Adds the counts and reasons of other nodes to a function; it is deployed only when no node is still starting it. */
    private static ObjectNode counted(ObjectNode app, List<JsonNode> there) {
        for (String count : COUNTS) {
            int sum =
                    there.stream().mapToInt(other -> other.path(count).asInt()).sum();
            app.put(count, app.path(count).asInt() + sum);
        }
        for (JsonNode other : there) {
            add(APART, app, other);
            add(WAITING, app, other);
        }
        if (app.path(COMPOSITE).asString().equals("deployed")
                && app.path(BOOTSTRAPPING_NODES).asInt() > 0) {
            app.put(COMPOSITE, "deploying");
        }
        return app;
    }

    private static void add(String reasons, ObjectNode app, JsonNode other) {
        other.path(reasons).properties().forEach(worker -> {
            if (!app.path(reasons).has(worker.getKey())) {
                app.withObjectProperty(reasons).set(worker.getKey(), worker.getValue());
            }
        });
    }

    private ObjectNode app(StoredFunction function, Set<FunctionName> here) {
        FunctionState state = function.state();
        boolean runs = here.contains(function.name());
        boolean wanted = state.flags() == LifecycleFlags.DEPLOY;
        ObjectNode json = StoredFunction.JSON.createObjectNode();
        json.put(COMPOSITE, composite(function, here));
        json.put("name", function.name().name());
        json.set("function_scope", DefinitionWriter.scope(function.name()));
        boolean deployed = runs && state instanceof Deployed;
        json.put(BOOTSTRAPPING_NODES, wanted && !deployed ? 1 : 0);
        json.put(DEPLOYED_NODES, deployed ? 1 : 0);
        json.put(STOPPING_NODES, stopping.test(function) ? 1 : 0);
        json.put(Settings.DEPLOYMENT_STATUS, state.flags().deployment());
        json.put(Settings.PROCESSING_STATUS, state.flags().processing());
        json.put("redeploy_required", false);
        json.put("since", state.since().toString());
        json.put("version", function.version().number());
        if (state instanceof Deployed && function.staged() != null) {
            json.put("swapping", true);
        }
        Canary canary = function.canary();
        if (canary != null && canary.running()) {
            json.put("canary_version", canary.next().version().number());
        }
        WorkerNotes workers = notes.apply(function.name());
        workers.apart()
                .forEach((worker, reason) -> json.withObjectProperty(APART).put(worker, reason));
        workers.waiting()
                .forEach((worker, reason) -> json.withObjectProperty(WAITING).put(worker, reason));
        Failure failure = state.failure();
        if (failure != null) {
            json.set("failure", StoredFunction.failure(failure));
        }
        return json;
    }

    /** Returns the state; a deployed function that does not run here yet after a restart is deploying. */
    private static String composite(StoredFunction function, Set<FunctionName> here) {
        boolean restarting = function.state() instanceof Deployed && !here.contains(function.name());
        return restarting ? "deploying" : function.state().label();
    }

    /** Returns the functions whose composite status is one of these, with the time at which they entered it. */
    public Map<String, String> inStatus(List<String> labels) {
        Map<String, String> found = new TreeMap<>();
        Set<FunctionName> here = running.get();
        for (StoredFunction function : store.all()) {
            if (labels.contains(composite(function, here))) {
                found.put(function.name().toString(), function.state().since().toString());
            }
        }
        return found;
    }

    /** Returns the names of the functions that match a filter. */
    public List<String> names(Filter filter, Predicate<FunctionName> shown) {
        return store.all().stream()
                .filter(function -> passes(function, filter) && shown.test(function.name()))
                .map(function -> function.name().toString())
                .toList();
    }

    private static boolean passes(StoredFunction function, Filter filter) {
        DeploymentConfig deployment = function.definition().deployment();
        return matches(filter.sourceBucket(), deployment.source().bucket())
                && matches(filter.sourceScope(), deployment.source().scope())
                && matches(filter.sourceCollection(), deployment.source().collection())
                && matches(filter.deployed(), function.state().flags().deployment())
                && matches(filter.writesToSource(), deployment.writesTo(deployment.source()))
                && matches(filter.curlBinding(), !deployment.curl().isEmpty());
    }

    private static <T> boolean matches(@Nullable T wanted, T actual) {
        return wanted == null || wanted.equals(actual);
    }

    public List<Summary> summaries() {
        return store.all().stream().map(Status::summary).toList();
    }

    /** Fails with ERR_APP_NOT_FOUND_TS when there is no such function. */
    public Summary summary(FunctionName name) {
        return summary(store.find(name).orElseThrow(() -> FunctionsException.notFound(name)));
    }

    private static Summary summary(StoredFunction function) {
        return new Summary(
                function.name(),
                function.definition().handlerUuid(),
                function.definition().settings().text(Setting.DCP_STREAM_BOUNDARY),
                function.state() instanceof Undeployed);
    }
}
