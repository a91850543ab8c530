package io.millrace.eventing.functions;

import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** In which states functions are. Answers from memory; fails with ERR_GET_CONFIG while nothing is known yet. */
public final class Status {

    private final FunctionStore store;
    private final Supplier<Set<FunctionName>> running;
    private final IntSupplier nodes;

    /** @param nodes how many eventing nodes there are */
    Status(FunctionStore store, Supplier<Set<FunctionName>> running, IntSupplier nodes) {
        this.store = store;
        this.running = running;
        this.nodes = nodes;
    }

    /** What other views need to know of a function. @param boundary where it starts in the feed */
    public record Summary(FunctionName name, long handlerUuid, String boundary, boolean undeployed) {}

    /** Which functions {@link #names} returns; null is no condition. */
    public record Filter(
            @Nullable String sourceBucket,
            @Nullable String sourceScope,
            @Nullable String sourceCollection,
            @Nullable Boolean deployed,
            @Nullable Boolean writesToSource,
            @Nullable Boolean curlBinding) {}

    public ObjectNode all() {
        ObjectNode json = StoredFunction.JSON.createObjectNode();
        ArrayNode apps = json.putArray("apps");
        Set<FunctionName> here = running.get();
        store.all().forEach(function -> apps.add(app(function, here)));
        return json.put("num_eventing_nodes", nodes.getAsInt());
    }

    public ObjectNode one(FunctionName name) {
        StoredFunction function = store.find(name).orElseThrow(() -> FunctionsException.notFound(name));
        ObjectNode json = StoredFunction.JSON.createObjectNode();
        json.set("app", app(function, running.get()));
        return json.put("num_eventing_nodes", nodes.getAsInt());
    }

    private ObjectNode app(StoredFunction function, Set<FunctionName> here) {
        FunctionState state = function.state();
        boolean runs = here.contains(function.name());
        boolean wanted = state.flags() == LifecycleFlags.DEPLOY;
        ObjectNode json = StoredFunction.JSON.createObjectNode();
        json.put("composite_status", composite(function, here));
        json.put("name", function.name().name());
        json.set("function_scope", DefinitionWriter.scope(function.name()));
        json.put("num_bootstrapping_nodes", wanted && !runs ? 1 : 0);
        json.put("num_deployed_nodes", wanted && runs ? nodes.getAsInt() : 0);
        json.put(Settings.DEPLOYMENT_STATUS, state.flags().deployment());
        json.put(Settings.PROCESSING_STATUS, state.flags().processing());
        json.put("redeploy_required", false);
        json.put("since", state.since().toString());
        Failure failure = state.failure();
        if (failure != null) {
            json.set("failure", StoredFunction.failure(failure));
        }
        return json;
    }

    /** Returns the state; one that is deployed but does not run here yet, after a restart, is deploying. */
    private static String composite(StoredFunction function, Set<FunctionName> here) {
        boolean restarting = function.state() instanceof Deployed && !here.contains(function.name());
        return restarting ? "deploying" : function.state().label();
    }

    /** Returns the functions whose composite status is one of these, with the time at which they came into it. */
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

    /** Returns the names of the functions that pass a filter. */
    public List<String> names(Filter filter) {
        return store.all().stream()
                .filter(function -> passes(function, filter))
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
