package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Redis functions of all libraries with their KEYS, ARGV and flags, held against a snapshot. */
class LuaFunctionsTest {

    private static final Path SNAPSHOT = Repository.ROOT.resolve("dev/acceptance/src/test/resources/lua-functions.txt");
    private static final Path CURRENT = Repository.ROOT.resolve("dev/acceptance/target/lua-functions.txt");
    private static final Pattern REGISTRATION =
            Pattern.compile("redis\\.register_function\\W.*LIBRARY \\.\\. '_(\\w+)'(?:.*flags = \\{(.*?)})?.*");

    @Test
    void functions_takeTheArgumentsOfTheSnapshot() throws IOException {
        List<String> current = new ArrayList<>();
        for (Path file : files()) {
            current.addAll(describe(file));
        }

        Files.createDirectories(CURRENT.getParent());
        Files.write(CURRENT, current);
        assertThat(current)
                .as(
                        "Redis functions differ from their snapshot. Nodes of two versions run side by side, each with its own"
                                + " library: check that both can work on what the other has stored. Then run"
                                + " cp dev/acceptance/target/lua-functions.txt dev/acceptance/src/test/resources/")
                .isEqualTo(Files.readAllLines(SNAPSHOT));
    }

    private static List<Path> files() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path module : Repository.modules()) {
            Path resources = module.resolve("src/main/resources");
            if (Files.isDirectory(resources)) {
                try (Stream<Path> files = Files.walk(resources)) {
                    files.filter(file -> file.toString().endsWith(".lua")).forEach(found::add);
                }
            }
        }
        return found.stream().sorted().toList();
    }

    /** Returns the lines of a function; none for a file that others share. */
    private static List<String> describe(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<String> described = new ArrayList<>();
        for (String line : lines) {
            Matcher registration = REGISTRATION.matcher(line);
            if (registration.matches()) {
                String flags = registration.group(2) == null ? "" : " flags " + registration.group(2);
                described.add(name(file) + " " + registration.group(1) + flags);
                described.addAll(header(lines));
            }
        }
        return described;
    }

    private static String name(Path file) {
        Path root = Repository.ROOT.toAbsolutePath().normalize();
        return root.relativize(file.toAbsolutePath().normalize()).toString().replaceFirst(".*/io/millrace/", "");
    }

    /** Returns the comment from KEYS on, up to what the function returns. */
    private static List<String> header(List<String> lines) {
        return lines.stream()
                .takeWhile(line -> line.startsWith("--") && !line.startsWith("-- Returns"))
                .dropWhile(line -> !line.startsWith("-- KEYS"))
                .map(line -> "  " + line.substring(2).strip())
                .filter(line -> !line.isBlank())
                .toList();
    }
}
