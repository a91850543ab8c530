package io.millrace.launcher.packages;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A directory with {@code package.json}, {@code package-lock.json} and installed packages, as one module. The module begins with
 * a comment that names each package in it with its version and integrity, as the lock has them. The same files give the same text.
 */
public final class PackageBundle {

    /** The longest library in bytes. */
    static final int MAX_BYTES = 1 << 20;

    private static final String MANIFEST = "package.json";
    private static final String LOCK = "package-lock.json";
    private static final String MODULES = "node_modules/";
    private static final Pattern UNRESOLVED =
            Pattern.compile("Could not resolve \"([^\"]+)\"\\s+(\\S+?):(\\d+):\\d+:", Pattern.DOTALL);
    private static final String OF_NODE = "The package \"%s\" wasn't found on the file system but is built into node";

    private final Path directory;
    private final JsonNode manifest;
    private final JsonNode locked;

    private PackageBundle(Path directory) {
        this.directory = directory;
        this.manifest = json(MANIFEST, "it says where the module begins, in \"module\" or \"main\"");
        this.locked = json(LOCK, "without it nothing says which packages are bundled; 'npm install' writes it")
                .path("packages");
        if (locked.isMissingNode()) {
            throw new LauncherException("%s has no \"packages\"; write it again with 'npm install' of npm 7 or newer"
                    .formatted(directory.resolve(LOCK)));
        }
    }

    /**
     * Returns the module.
     *
     * @throws LauncherException if something is missing, not as the lock says, needs a host, or is too large
     */
    public static String of(Path directory) {
        return new PackageBundle(directory).module();
    }

    private String module() {
        Esbuild.Bundle made = Esbuild.of(directory).bundle(directory, entry(), this::refusal);
        Map<String, String> packages = new TreeMap<>();
        made.inputs().forEach(input -> {
            String key = packageOf(input);
            if (!key.isEmpty()) {
                packages.computeIfAbsent(key, this::line);
            }
        });
        String text = header(made.version(), packages) + made.code();
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new LauncherException("The module of %s has %,d bytes, and a library at most %,d; import less of %s"
                    .formatted(directory, bytes, MAX_BYTES, names(packages)));
        }
        return text;
    }

    private JsonNode json(String name, String why) {
        Path file = directory.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new LauncherException("%s has no %s: %s".formatted(directory, name, why));
        }
        try {
            return JsonMapper.shared().readTree(Files.readString(file));
        } catch (IOException | JacksonException e) {
            throw new LauncherException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private Path entry() {
        String given = manifest.path("module").asString(manifest.path("main").asString("index.js"));
        Path entry = directory.resolve(given);
        if (!Files.isRegularFile(entry)) {
            throw new LauncherException(
                    "There is no file %s; name the one that the module begins with in \"module\" or \"main\" of %s"
                            .formatted(entry, directory.resolve(MANIFEST)));
        }
        return directory.relativize(entry);
    }

    /** Returns the key that the package of a file has in the lock, empty for a file of the directory itself. */
    private String packageOf(String input) {
        int modules = input.lastIndexOf(MODULES);
        if (modules < 0) {
            if (input.startsWith("..")) {
                throw new LauncherException(
                        "%s is outside of %s, so no lock pins it; install it as a package of a registry"
                                .formatted(input, directory));
            }
            return "";
        }
        int from = modules + MODULES.length();
        int end = input.indexOf('/', from);
        if (input.charAt(from) == '@' && end > 0) {
            end = input.indexOf('/', end + 1);
        }
        return end < 0 ? input : input.substring(0, end);
    }

    /** Returns what the lock says about a package, which must be what is installed. */
    private String line(String key) {
        JsonNode entry = locked.path(key);
        String name = key.substring(key.lastIndexOf(MODULES) + MODULES.length());
        String version = entry.path("version").asString("");
        String integrity = entry.path("integrity").asString("");
        if (version.isEmpty() || integrity.isEmpty()) {
            throw new LauncherException(
                    "%s pins no version and integrity of %s; install it from a registry with 'npm install'"
                            .formatted(directory.resolve(LOCK), name));
        }
        String installed = json(key + '/' + MANIFEST, "'npm ci' installs what the lock names")
                .path("version")
                .asString("");
        if (!installed.equals(version)) {
            throw new LauncherException("%s %s is installed, and %s names %s; run 'npm ci' in %s"
                    .formatted(name, installed, LOCK, version, directory));
        }
        return name + ' ' + version + ' ' + integrity;
    }

    private static String header(String esbuild, Map<String, String> packages) {
        StringBuilder text = new StringBuilder("/*! Bundled by esbuild ").append(esbuild);
        packages.values().forEach(line -> text.append("\n * ").append(line));
        return text.append("\n */\n").toString();
    }

    private static String names(Map<String, String> packages) {
        List<String> names = packages.values().stream()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .distinct()
                .toList();
        return names.isEmpty() ? "it" : String.join(", ", names);
    }

    /** Says in words why esbuild has failed. */
    private LauncherException refusal(String said) {
        Matcher unresolved = UNRESOLVED.matcher(said);
        if (!unresolved.find()) {
            return new LauncherException("%s cannot be bundled; esbuild says:%n%s".formatted(directory, said.strip()));
        }
        String wanted = Objects.requireNonNull(unresolved.group(1));
        String place = unresolved.group(2) + ':' + unresolved.group(3);
        return new LauncherException(
                said.contains(OF_NODE.formatted(wanted))
                        ? "%s imports '%s', a module of Node, which functions do not have; take a package that needs no host, or one made for browsers"
                                .formatted(place, wanted)
                        : "%s imports '%s', which is not installed; add it with 'npm install' in %s"
                                .formatted(place, wanted, directory));
    }
}
