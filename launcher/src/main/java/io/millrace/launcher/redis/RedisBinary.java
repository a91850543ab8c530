package io.millrace.launcher.redis;

import io.millrace.launcher.LauncherException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An executable Redis or Valkey server, 7.0 or newer.
 *
 * @param path the executable
 * @param version as the server reports it
 * @param origin where it was found, for messages
 */
record RedisBinary(Path path, String version, String origin) {

    /** The version inside org.signal:embedded-redis. */
    static final String BUNDLED_VERSION = "7.0.15";

    private static final String BUNDLED = "bundled ";
    private static final int OLDEST_MAJOR = 7;
    private static final Pattern VERSION = Pattern.compile("v=((\\d+)\\.\\d+[.\\d]*)");

    /**
     * Returns redis-server or valkey-server from PATH, the newer if there are both, or else the bundled binary.
     *
     * @throws LauncherException if none of them runs; the message lists what was tried
     */
    static RedisBinary find(Map<String, String> environment) {
        List<String> tried = new ArrayList<>();
        List<RedisBinary> found = new ArrayList<>();
        for (String name : List.of("redis-server", "valkey-server")) {
            onPath(name, environment.getOrDefault("PATH", ""), tried).ifPresent(found::add);
        }
        if (!found.isEmpty()) {
            return Collections.max(found, Comparator.comparing(binary -> Version.parse(binary.version())));
        }
        return bundled(environment, tried)
                .orElseThrow(() ->
                        new LauncherException("Found no Redis server to start. Install redis-server or valkey-server"
                                + " 7.0 or newer, or set REDIS_URL to a running server. Tried: "
                                + String.join("; ", tried)));
    }

    private static Optional<RedisBinary> onPath(String name, String path, List<String> tried) {
        for (String directory : path.split(File.pathSeparator)) {
            Path candidate = Path.of(directory.isEmpty() ? "." : directory, name);
            if (Files.isExecutable(candidate)) {
                Optional<RedisBinary> found = verified(candidate, candidate.toString(), tried);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        tried.add(name + " is not on PATH");
        return Optional.empty();
    }

    static Optional<RedisBinary> bundled(Map<String, String> environment, List<String> tried) {
        String name = bundledName(System.getProperty("os.name"), System.getProperty("os.arch"));
        if (name == null || RedisBinary.class.getResource("/" + name) == null) {
            tried.add("there is no bundled server for " + System.getProperty("os.name") + " "
                    + System.getProperty("os.arch"));
            return Optional.empty();
        }
        for (Path directory : cacheDirectories(environment)) {
            try {
                Optional<RedisBinary> found = verified(unpacked(name, directory), BUNDLED + name, tried);
                if (found.isPresent()) {
                    return found;
                }
            } catch (IOException e) {
                tried.add("cannot unpack into " + directory + ": " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    boolean isBundled() {
        return origin.startsWith(BUNDLED);
    }

    static @Nullable String bundledName(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT);
        String system = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "darwin" : null;
        String machine = switch (osArch) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            case "x86", "i386" -> "386";
            default -> null;
        };
        return system == null || machine == null
                ? null
                : "redis-server-" + BUNDLED_VERSION + "-" + system + "-" + machine;
    }

    /** Returns several directories, because one may be read-only or mounted noexec. */
    private static List<Path> cacheDirectories(Map<String, String> environment) {
        List<Path> directories = new ArrayList<>();
        if (environment.containsKey("MILLRACE_CACHE")) {
            directories.add(Path.of(environment.get("MILLRACE_CACHE")));
        }
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        directories.add(
                xdg.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".cache", "millrace")
                        : Path.of(xdg, "millrace"));
        directories.add(Path.of("target", "redis").toAbsolutePath());
        return directories;
    }

    /** Unpacks to a temporary file and renames it, so that a JVM that starts concurrently never runs an incomplete file. */
    private static Path unpacked(String name, Path directory) throws IOException {
        Path target = directory.resolve(name);
        if (Files.isExecutable(target)) {
            return target;
        }
        Files.createDirectories(directory);
        Path part = Files.createTempFile(directory, name, ".part");
        try (InputStream in = RedisBinary.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new IOException(name + " is not in the class path");
            }
            Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
            if (!part.toFile().setExecutable(true, true)) {
                throw new IOException("cannot make it executable");
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
        return target;
    }

    private static Optional<RedisBinary> verified(Path path, String origin, List<String> tried) {
        try {
            Process process = new ProcessBuilder(path.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                tried.add(path + " --version hangs");
                return Optional.empty();
            }
            Matcher version = VERSION.matcher(answer);
            if (process.exitValue() != 0 || !version.find()) {
                tried.add(path + " is not a Redis server: " + answer.strip());
                return Optional.empty();
            }
            if (Integer.parseInt(version.group(2)) < OLDEST_MAJOR) {
                tried.add(path + " is " + version.group(1) + ", older than 7.0");
                return Optional.empty();
            }
            return Optional.of(new RedisBinary(path, version.group(1), origin));
        } catch (IOException e) {
            tried.add(path + " does not run: " + e.getMessage());
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted while looking for a Redis", e);
        }
    }
}
