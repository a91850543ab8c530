package io.millrace.launcher.packages;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The program esbuild of a directory, which its lock pins as it pins the packages. */
final class Esbuild {

    private static final int LONGEST_SECONDS = 120;

    private static final boolean WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

    private final String program;

    private Esbuild(Path program) {
        this.program = program.toAbsolutePath().toString();
    }

    /**
     * A module that was made.
     *
     * @param inputs the files in it, relative to the directory, with slashes
     */
    record Bundle(String version, String code, List<String> inputs) {}

    static Esbuild of(Path directory) {
        Path programs = directory.resolve("node_modules").resolve(".bin");
        return Stream.of("esbuild.cmd", "esbuild")
                .filter(name -> WINDOWS || !name.contains("."))
                .map(programs::resolve)
                .filter(Files::isExecutable)
                .findFirst()
                .map(Esbuild::new)
                .orElseThrow(() -> new LauncherException(
                        "There is no esbuild, which makes one module of packages; run 'npm install --save-dev esbuild' in "
                                + directory));
    }

    /**
     * Makes one ES module that needs no host.
     *
     * @param refusal makes a failure of what esbuild says
     */
    Bundle bundle(Path directory, Path entry, Function<String, LauncherException> refusal) {
        try {
            Path made = Files.createTempDirectory("bundle");
            Path code = made.resolve("module.js");
            Path about = made.resolve("about.json");
            Path said = made.resolve("said.txt");
            try {
                run(
                        directory,
                        said,
                        refusal,
                        "./" + entry.toString().replace('\\', '/'),
                        "--bundle",
                        "--format=esm",
                        "--platform=neutral",
                        "--main-fields=module,main",
                        "--target=es2022",
                        "--charset=utf8",
                        "--legal-comments=inline",
                        "--log-level=error",
                        "--color=false",
                        "--metafile=" + about,
                        "--outfile=" + code);
                List<String> inputs = List.copyOf(JsonMapper.shared()
                        .readTree(Files.readString(about))
                        .path("inputs")
                        .propertyNames());
                return new Bundle(run(directory, said, refusal, "--version").strip(), Files.readString(code), inputs);
            } finally {
                Files.deleteIfExists(code);
                Files.deleteIfExists(about);
                Files.deleteIfExists(said);
                Files.delete(made);
            }
        } catch (IOException e) {
            throw new LauncherException(program + " cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException(program + " was interrupted", e);
        }
    }

    /** @param said gets what esbuild writes: a pipe would have to be read to its end, which may never come */
    private String run(Path directory, Path said, Function<String, LauncherException> refusal, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new LauncherException("%s has not ended within %d s".formatted(program, LONGEST_SECONDS));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String text = Files.readString(said);
        if (process.exitValue() != 0) {
            throw refusal.apply(text);
        }
        return text;
    }
}
