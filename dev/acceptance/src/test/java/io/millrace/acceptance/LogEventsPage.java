package io.millrace.acceptance;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.util.TreePathScanner;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every log line whose message begins with {@code event=}, from the calls of loggers in the code. */
final class LogEventsPage {

    private static final Pattern LOGGER = Pattern.compile("(?i)(.*\\.)?log(ger)?");
    private static final Set<String> LEVELS = Set.of("trace", "debug", "info", "warn", "error");
    private static final Pattern KEY = Pattern.compile("(?<=[ \"]|^)([a-zA-Z_][\\w-]*)=");

    private record Event(Set<String> levels, Set<String> keys, Set<String> links) {}

    private LogEventsPage() {}

    static String markdown() {
        TreeMap<String, Event> events = new TreeMap<>();
        JavaSource.parse(Repository.files(".java").stream()
                        .filter(file -> Repository.name(file).contains("src/main/"))
                        .toList())
                .forEach(source -> source.scan(new Calls(source.path(), events)));
        StringBuilder page = new StringBuilder("""
                # Log events

                A log line of a service is a set of key-value pairs. Its message begins with `event=`, a name in snake_case;
                keys that end in `_ms` are milliseconds, in `_bytes` bytes. This table is made from the code.

                | event | level | keys | logged by |
                |---|---|---|---|
                """);
        events.forEach((name, event) -> page.append("| `%s` | %s | %s | %s |\n"
                .formatted(
                        name,
                        String.join(", ", event.levels()),
                        String.join(
                                ", ",
                                event.keys().stream()
                                        .map(key -> "`" + key + "`")
                                        .toList()),
                        String.join(", ", event.links()))));
        return page.toString();
    }

    private static final class Calls extends TreePathScanner<Void, Void> {

        private final Path source;
        private final TreeMap<String, Event> events;

        Calls(Path source, TreeMap<String, Event> events) {
            this.source = source;
            this.events = events;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            if (call.getMethodSelect() instanceof MemberSelectTree method
                    && LOGGER.matcher(method.getExpression().toString()).matches()) {
                String level = level(method.getIdentifier().toString(), call);
                if (!level.isEmpty()) {
                    call.getArguments().stream()
                            .map(LogEventsPage::text)
                            .filter(text -> text.startsWith("event="))
                            .forEach(text -> add(level, text));
                }
            }
            return super.visitMethodInvocation(call, nothing);
        }

        private static String level(String method, MethodInvocationTree call) {
            if (LEVELS.contains(method)) {
                return method;
            }
            if (method.equals("log") && !call.getArguments().isEmpty()) {
                String level = call.getArguments().getFirst().toString().replaceFirst(".*\\.", "");
                return level.equals("WARNING") ? "warn" : level.toLowerCase(Locale.ROOT);
            }
            return "";
        }

        private void add(String level, String text) {
            Matcher key = KEY.matcher(text);
            Set<String> keys = new LinkedHashSet<>();
            while (key.find()) {
                keys.add(key.group(1));
            }
            keys.remove("event");
            String name = text.substring("event=".length()).replaceFirst("[^\\w-].*", "");
            Event event = events.computeIfAbsent(
                    name, any -> new Event(new TreeSet<>(), new LinkedHashSet<>(), new TreeSet<>()));
            event.levels().add(level);
            event.keys().addAll(keys);
            String type = source.getFileName().toString().replace(".java", "");
            event.links().add(MarkdownTable.link(type, source));
        }
    }

    /** The literals of an expression, one after the other. */
    private static String text(ExpressionTree expression) {
        return switch (expression) {
            case LiteralTree literal when literal.getValue() instanceof String text -> text;
            case BinaryTree sum -> text(sum.getLeftOperand()) + text(sum.getRightOperand());
            case MethodInvocationTree call
            when call.getMethodSelect() instanceof MemberSelectTree method -> text(method.getExpression());
            default -> "";
        };
    }
}
