package io.millrace.acceptance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The environment variables of services, launcher and script, from the files that read them; people say what they mean. */
final class EnvironmentPage {

    static final String NAME = "environment.md";

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Z][A-Z0-9_]*):?((?:[^${}]|\\$\\{[^}]*})*)}");
    private static final Pattern LITERAL = Pattern.compile("\"(MILLRACE_[A-Z_]+|REDIS_URL)\"");
    private static final Pattern IN_SCRIPT = Pattern.compile("\\b(MILLRACE_[A-Z_]+|REDIS_URL)\\b");

    private record Variable(Set<String> readers, Map<String, Set<String>> defaults) {}

    private EnvironmentPage() {}

    static String markdown() {
        Map<String, Variable> variables = new TreeMap<>();
        for (Path file : Repository.files("application.yml")) {
            Matcher matcher = PLACEHOLDER.matcher(Repository.read(file));
            while (matcher.find()) {
                Variable variable = add(variables, matcher.group(1), module(file));
                if (!matcher.group(2).isEmpty()) {
                    variable.defaults()
                            .computeIfAbsent("`" + matcher.group(2) + "`", any -> new TreeSet<>())
                            .add(module(file));
                }
            }
        }
        for (Path file : Repository.files(".java")) {
            if (file.startsWith(Repository.module("launcher").resolve("src/main"))) {
                scan(LITERAL, file, "`./millrace`", variables);
            } else if (file.startsWith(Repository.module("http-door").resolve("src/main"))) {
                scan(LITERAL, file, "all services", variables);
            }
        }
        scan(IN_SCRIPT, Repository.ROOT.resolve("millrace"), "`./millrace`", variables);
        scan(IN_SCRIPT, Repository.ROOT.resolve("docker/start"), "images", variables);
        Map<String, String> written = MarkdownTable.writtenByHand(NAME);
        StringBuilder page = new StringBuilder("""
            # Environment variables

            Everything is configured by environment variables; `./millrace help` lists those of the launcher. Names, readers
            and defaults in this table are made from the code. Any property of the services' `application.yml` can be
            set in the same way: `millrace.gateway.answer-timeout` is `MILLRACE_GATEWAY_ANSWERTIMEOUT`.

            | variable | read by | default | meaning |
            |---|---|---|---|
            """);
        variables.forEach((name, variable) -> page.append("| `%s` | %s | %s | %s |\n"
                .formatted(
                        name,
                        String.join(", ", variable.readers()),
                        defaults(variable),
                        written.getOrDefault("`" + name + "`", ""))));
        return page.toString();
    }

    /** One default, or those that differ with the services that have them. */
    private static String defaults(Variable variable) {
        if (variable.defaults().size() == 1) {
            return variable.defaults().keySet().iterator().next();
        }
        List<String> all = new ArrayList<>();
        variable.defaults().forEach((value, services) -> all.add(value + " " + String.join(", ", services)));
        return String.join("; ", all);
    }

    private static void scan(Pattern pattern, Path file, String reader, Map<String, Variable> variables) {
        Matcher matcher = pattern.matcher(Repository.read(file));
        while (matcher.find()) {
            add(variables, matcher.group(1), reader);
        }
    }

    private static Variable add(Map<String, Variable> variables, String name, String reader) {
        Variable variable =
                variables.computeIfAbsent(name, any -> new Variable(new TreeSet<>(), new LinkedHashMap<>()));
        variable.readers().add(reader);
        return variable;
    }

    private static String module(Path file) {
        String name = Repository.name(file);
        return name.substring(0, name.indexOf("/src/")).replaceFirst(".*/", "");
    }
}
