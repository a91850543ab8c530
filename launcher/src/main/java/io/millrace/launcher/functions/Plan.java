package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.LauncherException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What has to be done so that the functions of a suite are those of some directories. Doing it again does nothing. */
record Plan(List<Step> steps) {

    /** One function. */
    sealed interface Step {

        FunctionId id();

        /** Returns the line of the plan, which begins with a sign: {@code +}, {@code ~}, {@code -} or {@code =}. */
        String line();
    }

    /** @param action what happens after it was saved: {@code deploy}, {@code resume}, or nothing if it is deployed */
    record Save(FunctionId id, ObjectNode definition, boolean exists, List<String> changed, String action)
            implements Step {

        @Override
        public String line() {
            if (!exists) {
                return "+ " + id + ": create and deploy";
            }
            List<String> parts = new ArrayList<>();
            if (!changed.isEmpty()) {
                parts.add("change " + String.join(", ", changed));
            }
            if (!action.isEmpty()) {
                parts.add(action);
            }
            return "~ " + id + ": " + String.join("; ", parts);
        }
    }

    /** It is deployed as the files say. */
    record Keep(FunctionId id) implements Step {

        @Override
        public String line() {
            return "= " + id + ": no change";
        }
    }

    /** No directory has it. */
    record Remove(FunctionId id, boolean deployed) implements Step {

        @Override
        public String line() {
            return "- " + id + ": " + (deployed ? "undeploy and " : "") + "delete";
        }
    }

    /** @param prune whether functions that no directory has are deleted */
    static Plan of(FunctionServer server, List<FunctionDirectory> directories, boolean prune) {
        List<Step> steps = new ArrayList<>();
        Map<FunctionId, Path> wanted = new HashMap<>();
        for (FunctionDirectory directory : directories) {
            ObjectNode definition = directory.definition();
            FunctionId id = FunctionId.of(definition);
            Path other = wanted.putIfAbsent(id, directory.path());
            if (other != null) {
                throw new LauncherException(
                        "%s and %s both have the function %s; change the appname in one of them, or leave it out"
                                .formatted(other, directory.path(), id));
            }
            steps.add(step(server, id, definition));
        }
        if (prune) {
            for (JsonNode app : server.all()) {
                FunctionId id = FunctionId.of(app);
                if (!wanted.containsKey(id)) {
                    steps.add(new Remove(id, !FunctionServer.statusOf(app).equals("undeployed")));
                }
            }
        }
        return new Plan(steps);
    }

    List<Save> saves() {
        return steps.stream()
                .filter(Save.class::isInstance)
                .map(Save.class::cast)
                .toList();
    }

    List<Remove> removals() {
        return steps.stream()
                .filter(Remove.class::isInstance)
                .map(Remove.class::cast)
                .toList();
    }

    private static Step step(FunctionServer server, FunctionId id, ObjectNode definition) {
        Optional<JsonNode> app = server.find(id);
        if (app.isEmpty()) {
            return new Save(id, definition, false, List.of(), "deploy");
        }
        String action = switch (FunctionServer.statusOf(app.get())) {
            case "undeployed", "undeploying" -> "deploy";
            case "paused", "pausing" -> "resume";
            default -> "";
        };
        List<String> changed = server.compare(id, definition)
                .path("changed")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
        return changed.isEmpty() && action.isEmpty() ? new Keep(id) : new Save(id, definition, true, changed, action);
    }

    /**
     * In which order functions are deployed and undeployed, so that a function runs before another one writes what it handles.
     *
     * @param places of all functions in the order of deployment, by name
     * @param woken the functions that are woken by the writes of one, by name
     */
    record Order(Map<String, Integer> places, Map<String, List<String>> woken) {

        /** Without anything to order. */
        static final Order NONE = new Order(Map.of(), Map.of());

        /** Reads what the server knows about all functions. */
        static Order of(JsonNode graph) {
            Map<String, Integer> places = new HashMap<>();
            graph.path("deploy_order").forEach(name -> places.put(name.asString(), places.size()));
            Map<String, List<String>> woken = new HashMap<>();
            for (JsonNode function : graph.path("functions")) {
                List<String> names = function.path("wakes")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList();
                woken.put(FunctionId.of(function).toString(), names);
            }
            return new Order(places, woken);
        }

        <S extends Step> List<S> wokenFirst(List<S> steps) {
            return steps.stream().sorted(Comparator.comparing(this::place)).toList();
        }

        <S extends Step> List<S> wakersFirst(List<S> steps) {
            return steps.stream()
                    .sorted(Comparator.comparing(this::place).reversed())
                    .toList();
        }

        /** Functions that the server did not list come last, in the order in which they were given. */
        private int place(Step step) {
            return places.getOrDefault(step.id().toString(), Integer.MAX_VALUE);
        }

        /** Returns the functions that the writes of one wake, except those of its own cycle that come later. */
        List<String> wokenBy(Step step) {
            return woken.getOrDefault(step.id().toString(), List.of());
        }
    }
}
