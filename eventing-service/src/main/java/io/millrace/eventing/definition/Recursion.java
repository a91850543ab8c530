package io.millrace.eventing.definition;

import io.millrace.documents.Keyspace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Refuses deployments after which functions could trigger each other endlessly. A function leads to another if it may
 * write, through a binding to a single collection or by a statement, to the source of the other. A function may write
 * to its own source, because it does not see its own writes.
 */
public final class Recursion {

    private final FunctionDefinition candidate;
    private final List<FunctionDefinition> functions = new ArrayList<>();
    private final Map<FunctionName, List<Keyspace>> changed = new HashMap<>();

    private Recursion(
            FunctionDefinition candidate,
            Collection<FunctionDefinition> deployed,
            Function<FunctionDefinition, List<Keyspace>> changes) {
        this.candidate = candidate;
        functions.add(candidate);
        deployed.stream()
                .filter(function -> !function.name().equals(candidate.name()))
                .forEach(functions::add);
        functions.forEach(function -> changed.put(function.name(), changes.apply(function)));
    }

    /**
     * Fails with ERR_INTER_FUNCTION_RECURSION or ERR_INTER_BUCKET_RECURSION, naming the functions.
     *
     * @param changes the keyspaces that statements of a function change
     */
    public static void check(
            FunctionDefinition candidate,
            Collection<FunctionDefinition> deployed,
            Function<FunctionDefinition, List<Keyspace>> changes) {
        new Recursion(candidate, deployed, changes).check();
    }

    private void check() {
        for (FunctionDefinition other : functions.subList(1, functions.size())) {
            if (writesToItsSource(candidate)
                    && writesToItsSource(other)
                    && leads(candidate, other)
                    && leads(other, candidate)) {
                throw FunctionsException.of(
                        ErrorCode.ERR_INTER_FUNCTION_RECURSION,
                        "Functions %s and %s both write to the source %s; each would be triggered by the other's writes."
                                .formatted(
                                        candidate.name(),
                                        other.name(),
                                        candidate.deployment().source()));
            }
        }
        List<FunctionName> cycle = cycle();
        if (!cycle.isEmpty()) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INTER_BUCKET_RECURSION,
                    "The writes of functions would form a cycle: %s."
                            .formatted(String.join(
                                    " -> ",
                                    cycle.stream().map(FunctionName::toString).toList())));
        }
    }

    private boolean writesToItsSource(FunctionDefinition function) {
        return leads(function, function);
    }

    private boolean leads(FunctionDefinition from, FunctionDefinition to) {
        Keyspace source = to.deployment().source();
        return from.deployment().writesTo(source)
                || changed.getOrDefault(from.name(), List.of()).stream()
                        .anyMatch(keyspace -> DeploymentConfig.covers(source, keyspace));
    }

    /** Returns the shortest path from the candidate over other functions back to it, or nothing. */
    private List<FunctionName> cycle() {
        Map<FunctionName, @Nullable FunctionName> cameFrom = new HashMap<>();
        Set<FunctionName> seen = new HashSet<>(Set.of(candidate.name()));
        Deque<FunctionDefinition> open = new ArrayDeque<>(List.of(candidate));
        while (!open.isEmpty()) {
            FunctionDefinition at = open.removeFirst();
            if (!at.name().equals(candidate.name()) && leads(at, candidate)) {
                return way(candidate.name(), at.name(), cameFrom);
            }
            for (FunctionDefinition next : functions) {
                if (leads(at, next) && seen.add(next.name())) {
                    cameFrom.put(next.name(), at.name());
                    open.addLast(next);
                }
            }
        }
        return List.of();
    }

    private static List<FunctionName> way(
            FunctionName start, FunctionName last, Map<FunctionName, @Nullable FunctionName> cameFrom) {
        List<FunctionName> way = new ArrayList<>(List.of(start));
        for (FunctionName at = last; at != null && !at.equals(start); at = cameFrom.get(at)) {
            way.add(1, at);
        }
        way.add(start);
        return way;
    }
}
