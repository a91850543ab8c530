package io.millrace.eventing.definition;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.definition.DeploymentConfig.BucketBinding;
import io.millrace.eventing.definition.DeploymentConfig.EventSource;
import io.millrace.handler.ImportedLibraries;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which functions trigger which others: a function wakes another if it may write, through a binding or by a statement, to the
 * source of the other, or publishes to its topic. A function is never said to wake itself, because it does not see its own writes.
 */
public final class FunctionGraph {

    private final List<Node> nodes;
    private final List<List<FunctionName>> components;

    /**
     * A function and what it may touch.
     *
     * @param named the keyspaces of its statements, as far as their text says
     * @param wakes the functions whose source it may write to, by name
     */
    public record Node(FunctionDefinition function, CodeCheck.Named named, List<FunctionName> wakes) {

        public Node {
            wakes = List.copyOf(wakes);
        }

        /** Returns what it reads besides its source, through bindings and by statements; scope and collection may be {@code *}. */
        public List<Keyspace> reads() {
            return Stream.concat(targets(function, false), named.read().stream())
                    .distinct()
                    .toList();
        }

        /** Returns the libraries that its code imports itself. */
        public List<String> imports() {
            return ImportedLibraries.of(function.code()).stream()
                    .map(ImportedLibraries.Import::library)
                    .distinct()
                    .toList();
        }

        /** Returns what it may write, through bindings and by statements; scope and collection may be {@code *}. */
        public List<Keyspace> writes() {
            return Stream.concat(targets(function, true), named.changed().stream())
                    .distinct()
                    .toList();
        }
    }

    /**
     * Functions that one is related to.
     *
     * @param wakers those that wake it
     * @param woken those that it wakes
     */
    public record Neighbours(List<FunctionName> wakers, List<FunctionName> woken) {

        public static final Neighbours NONE = new Neighbours(List.of(), List.of());

        public Neighbours {
            wakers = List.copyOf(wakers);
            woken = List.copyOf(woken);
        }
    }

    private FunctionGraph(List<Node> nodes) {
        this.nodes = nodes;
        this.components = new Components(nodes).found;
    }

    /** @param statements the keyspaces of the statements of a function */
    public static FunctionGraph of(
            Collection<FunctionDefinition> functions, Function<FunctionDefinition, CodeCheck.Named> statements) {
        List<FunctionDefinition> sorted = functions.stream()
                .sorted(Comparator.comparing(function -> function.name().toString()))
                .toList();
        List<Node> nodes = new ArrayList<>();
        for (FunctionDefinition function : sorted) {
            CodeCheck.Named named = statements.apply(function);
            List<FunctionName> wakes = sorted.stream()
                    .filter(other -> wakes(function, named, other))
                    .map(FunctionDefinition::name)
                    .toList();
            nodes.add(new Node(function, named, wakes));
        }
        return new FunctionGraph(List.copyOf(nodes));
    }

    /** Returns which of other functions one is related to; see {@link #of}. */
    public static Neighbours neighbours(
            FunctionDefinition function,
            List<FunctionDefinition> others,
            Function<FunctionDefinition, CodeCheck.Named> statements) {
        CodeCheck.Named named = statements.apply(function);
        return new Neighbours(
                names(others, other -> wakes(other, statements.apply(other), function)),
                names(others, other -> wakes(function, named, other)));
    }

    private static List<FunctionName> names(List<FunctionDefinition> all, Predicate<FunctionDefinition> wanted) {
        return all.stream().filter(wanted).map(FunctionDefinition::name).toList();
    }

    /**
     * Returns whether a function wakes another; both may name more than one collection.
     *
     * @param named the keyspaces of the statements of {@code from}
     */
    private static boolean wakes(FunctionDefinition from, CodeCheck.Named named, FunctionDefinition to) {
        if (from.name().equals(to.name())) {
            return false;
        }
        Keyspace source = to.deployment().source();
        EventSource events = to.deployment().events();
        if (events != null && events.ofTopic()) {
            return from.deployment().topics().stream()
                    .anyMatch(binding -> binding.kind() == events.kind()
                            && binding.cluster().equals(events.cluster())
                            && binding.topic().equals(events.topic()));
        }
        return Stream.concat(targets(from, true), named.changed().stream()).anyMatch(target -> overlap(source, target));
    }

    private static Stream<Keyspace> targets(FunctionDefinition function, boolean writable) {
        return function.deployment().buckets().stream()
                .filter(binding -> binding.writable() == writable)
                .map(BucketBinding::target);
    }

    private static boolean overlap(Keyspace one, Keyspace other) {
        return one.bucket().equals(other.bucket())
                && matches(one.scope(), other.scope())
                && matches(one.collection(), other.collection());
    }

    private static boolean matches(String one, String other) {
        return one.equals(other) || one.equals(DeploymentConfig.WILDCARD) || other.equals(DeploymentConfig.WILDCARD);
    }

    /** Returns the functions by name. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns the functions that wake one, by name. */
    public List<FunctionName> wakers(FunctionName name) {
        return nodes.stream()
                .filter(node -> node.wakes().contains(name))
                .map(node -> node.function().name())
                .toList();
    }

    /**
     * Returns all functions so that each comes before those that wake it, except within a cycle: deployed in this order, a
     * function is there before the first write that is meant for it. The reverse is the order to undeploy in.
     */
    public List<FunctionName> deployOrder() {
        return components.stream().flatMap(List::stream).toList();
    }

    /** Returns the groups of functions that wake each other, directly or through others of the group. */
    public List<List<FunctionName>> cycles() {
        return components.stream().filter(component -> component.size() > 1).toList();
    }

    /** The strongly connected components by Tarjan's algorithm, which finds those that are woken first. */
    private static final class Components {

        private final Map<FunctionName, Node> nodes = new HashMap<>();
        private final Map<FunctionName, Integer> index = new HashMap<>();
        private final Deque<FunctionName> open = new ArrayDeque<>();
        private final List<List<FunctionName>> found = new ArrayList<>();

        Components(List<Node> all) {
            all.forEach(node -> nodes.put(node.function().name(), node));
            all.forEach(node -> {
                if (!index.containsKey(node.function().name())) {
                    visit(node);
                }
            });
        }

        private int visit(Node node) {
            FunctionName name = node.function().name();
            int number = index.size();
            index.put(name, number);
            int lowest = number;
            open.push(name);
            for (FunctionName next : node.wakes()) {
                Integer known = index.get(next);
                if (known == null) {
                    lowest = Math.min(lowest, visit(node(next)));
                } else if (open.contains(next)) {
                    lowest = Math.min(lowest, known);
                }
            }
            if (lowest == number) {
                close(name);
            }
            return lowest;
        }

        private Node node(FunctionName name) {
            Node node = nodes.get(name);
            if (node == null) {
                throw new IllegalStateException("No function " + name + " in the graph that it is part of");
            }
            return node;
        }

        private void close(FunctionName first) {
            List<FunctionName> component = new ArrayList<>();
            FunctionName member;
            do {
                member = open.pop();
                component.add(member);
            } while (!member.equals(first));
            component.sort(Comparator.comparing(FunctionName::toString));
            found.add(List.copyOf(component));
        }
    }
}
