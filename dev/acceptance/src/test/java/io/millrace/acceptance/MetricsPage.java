package io.millrace.acceptance;

import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Every metric of Millrace's own, from the calls that register them and the lists of counters. */
final class MetricsPage {

    static final String NAME = "metrics.md";

    private record Metric(String type, String service, String meaning) {}

    private static final List<String> COUNTER_LISTS = List.of("EXECUTION", "FAILURE", "PROCESSING");

    private MetricsPage() {}

    static String markdown() {
        Map<String, Metric> metrics = new TreeMap<>();
        for (Path file : Repository.files(".java")) {
            if (Repository.name(file).contains("src/main/")
                    && Repository.read(file).contains("io.micrometer.core.instrument")) {
                JavaSource.parse(List.of(file)).getFirst().scan(new Registrations(service(file), metrics));
            }
        }
        counters()
                .forEach(name -> metrics.put(
                        "eventing_" + name.replaceFirst("_(counter|count)$", "") + "_total",
                        new Metric("counter", "eventing-service", "")));
        StringBuilder page = new StringBuilder("""
            # Metrics

            `/actuator/prometheus` of each service answers these, next to the usual ones of the JVM, of HTTP and, on the
            gateway, of circuit breakers (`resilience4j_*`). Metrics that begin with `eventing_` have the label `function`
            and are those of one node; [Observe functions](../how-to/observe.md) says how to add them up. The names of
            the counters are those of Couchbase's statistics, which `/api/v1/stats` answers. This table is made from the
            code.

            | metric | type | service | meaning |
            |---|---|---|---|
            """);
        Map<String, String> written = MarkdownTable.writtenByHand(NAME);
        metrics.forEach((name, metric) -> page.append("| `%s` | %s | %s | %s |\n"
                .formatted(
                        name,
                        metric.type(),
                        metric.service(),
                        metric.meaning().isEmpty() ? written.getOrDefault("`" + name + "`", "") : metric.meaning())));
        return page.toString();
    }

    private static String service(Path file) {
        String name = Repository.name(file);
        if (name.startsWith("libs/")) {
            return "all";
        }
        return name.substring(0, name.indexOf("/src/")).replaceFirst(".*/", "");
    }

    private static List<String> counters() {
        List<String> names = new ArrayList<>();
        try (BuiltClasses classes = new BuiltClasses()) {
            Class<?> type = classes.load("eventing-service", "StatNames");
            for (String list : COUNTER_LISTS) {
                Field field = type.getDeclaredField(list);
                field.setAccessible(true);
                ((List<?>) field.get(null)).forEach(name -> names.add(String.valueOf(name)));
            }
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError("Cannot read the lists of counters", e);
        }
        names.removeIf(name -> name.startsWith("agg_queue"));
        return names;
    }

    /** Finds {@code Gauge.builder("name", ...)}, {@code gauge(..., "name", ..., "meaning")} and the like. */
    private static final class Registrations extends TreePathScanner<Void, Void> {

        private final String service;
        private final Map<String, Metric> metrics;

        Registrations(String service, Map<String, Metric> metrics) {
            this.service = service;
            this.metrics = metrics;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            String method = call.getMethodSelect().toString();
            List<String> literals = literals(call.getArguments());
            switch (method) {
                case "gauge" -> {
                    String meaning = literals.isEmpty() ? "" : literals.getLast();
                    names(call, literals).forEach(name -> add("eventing_" + name, "gauge", meaning));
                }
                case "histogram" -> {
                    if (literals.size() > 1) {
                        add(literals.getFirst(), "histogram", literals.get(1));
                    }
                }
                case "Gauge.builder" ->
                    literals.stream()
                            .findFirst()
                            .filter(name -> !name.endsWith("."))
                            .ifPresent(name -> add(name.replace('.', '_'), "gauge", description()));
                case "FunctionCounter.builder" ->
                    literals.stream()
                            .findFirst()
                            .filter(name -> !name.endsWith("."))
                            .ifPresent(name -> add(name.replace('.', '_') + "_total", "counter", description()));
                default -> {}
            }
            return super.visitMethodInvocation(call, nothing);
        }

        private void add(String name, String type, String meaning) {
            metrics.put(name, new Metric(type, service, MarkdownTable.cell(meaning)));
        }

        /** The name that is given as a literal, or those that the loop around goes through. */
        private List<String> names(MethodInvocationTree call, List<String> literals) {
            ExpressionTree name = call.getArguments().get(1);
            if (name instanceof LiteralTree) {
                return literals.subList(0, 1);
            }
            for (TreePath path = getCurrentPath(); path != null; path = path.getParentPath()) {
                if (path.getLeaf() instanceof EnhancedForLoopTree loop) {
                    return literals(List.of(loop.getExpression()));
                }
            }
            return List.of();
        }

        /** What the chain of calls around says with {@code description}. */
        private String description() {
            for (TreePath path = getCurrentPath(); path != null; path = path.getParentPath()) {
                if (path.getLeaf() instanceof MethodInvocationTree call
                        && call.getMethodSelect().toString().endsWith(".description")) {
                    return String.join("", literals(call.getArguments()));
                }
            }
            return "";
        }

        private static List<String> literals(List<? extends ExpressionTree> arguments) {
            List<String> texts = new ArrayList<>();
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitLiteral(LiteralTree literal, Void nothing) {
                    if (literal.getValue() instanceof String text) {
                        texts.add(text);
                    }
                    return null;
                }
            }.scan(arguments, null);
            return texts;
        }
    }
}
