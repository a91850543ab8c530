package io.millrace.acceptance;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The environment variables that the services and their images read. */
final class ServiceVariables {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Z][A-Z0-9_]*)");

    private ServiceVariables() {}

    static Set<String> read() {
        Set<String> names = new HashSet<>();
        for (var file : Repository.files("application.yml")) {
            addPlaceholders(Repository.read(file), names);
        }
        Matcher inStart = Pattern.compile("\\$(MILLRACE_[A-Z_]+)")
                .matcher(Repository.read(Repository.ROOT.resolve("docker/start")));
        while (inStart.find()) {
            names.add(inStart.group(1));
        }
        Pattern inLibraries = Pattern.compile("\\bMILLRACE_[A-Z_]+\\b");
        for (var file : Repository.files(".java")) {
            if (file.startsWith(Repository.ROOT.resolve("libs"))
                    && file.toString().contains("/src/main/")) {
                Matcher matcher = inLibraries.matcher(Repository.read(file));
                while (matcher.find()) {
                    names.add(matcher.group());
                }
            }
        }
        return names;
    }

    private static void addPlaceholders(String text, Set<String> names) {
        Matcher matcher = PLACEHOLDER.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
    }
}
