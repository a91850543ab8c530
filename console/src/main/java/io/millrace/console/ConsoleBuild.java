package io.millrace.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The build of the console. Its arguments are the directory of the module, the directory for the work, and the directory for
 * the result; the packages and programs come from the class path.
 */
final class ConsoleBuild {

    private static final List<String> ENTRIES = List.of("src/main.tsx", "src/early.ts", "src/live/worker.ts");

    private final Path module;
    private final Path work;
    private final Path output;

    private ConsoleBuild(Path module, Path work, Path output) {
        this.module = module;
        this.work = work;
        this.output = output;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        new ConsoleBuild(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2])).run();
    }

    private void run() throws IOException, InterruptedException {
        Files.createDirectories(work);
        WebPackages packages = WebPackages.unpack(System.getProperty("java.class.path"), work);
        Files.writeString(work.resolve("package.json"), packages.manifest());
        Directories.copy(module.resolve("src"), work.resolve("src"));
        Files.copy(
                module.resolve("deno.json"),
                work.resolve("deno.json"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        Path deno = packages.program("deno");
        generate(work.resolve("generated"), module.resolve(".."), deno);

        NativeProgram.run(
                work, deno, "check", "--quiet", "--no-remote", "src/main.tsx", "src/early.ts", "src/live/worker.ts");
        bundle(packages.program("esbuild"));
        new ConsolePages(work.resolve("bundle"), output).write(Files.readString(module.resolve("src/index.html")));
    }

    private static void generate(Path generated, Path root, Path deno) throws IOException, InterruptedException {
        Files.createDirectories(generated);
        Files.writeString(
                generated.resolve("settings.ts"), SettingsTable.read(root.resolve("docs/reference/settings.md")));
        Files.writeString(
                generated.resolve("functions.ts"),
                ApiTypes.read(root.resolve("eventing-service/src/main/resources/openapi/functions.yml"), "schemas"));
        Files.writeString(
                generated.resolve("documents.ts"),
                ApiTypes.read(
                        root.resolve("subdoc-service/src/main/resources/openapi/document-service.yaml"),
                        "components",
                        "schemas"));
        Path declarations =
                root.resolve("libs/function-files/src/main/resources/io/millrace/functionfiles/millrace.d.ts");
        String said = NativeProgram.run(
                generated,
                deno,
                "doc",
                "--quiet",
                "--json",
                "--private",
                declarations.toAbsolutePath().toString());
        Files.writeString(generated.resolve("handlers.ts"), HandlerLanguage.read(said));
    }

    /** The name of the worker is needed to bundle the page, so the worker comes first. */
    private void bundle(Path esbuild) throws IOException, InterruptedException {
        Path bundle = work.resolve("bundle");
        Directories.delete(bundle);
        esbuild(esbuild, "--format=iife", ENTRIES.get(1), ENTRIES.get(2));
        String worker = ConsolePages.named(bundle, "worker", ".js");
        esbuild(esbuild, "--format=esm", "--splitting", "--define:WORKER_FILE=\"" + worker + '"', ENTRIES.get(0));
    }

    private void esbuild(Path esbuild, String... options) throws IOException, InterruptedException {
        String[] all = new String[options.length + 8];
        all[0] = "--bundle";
        all[1] = "--minify";
        all[2] = "--target=es2022";
        all[3] = "--jsx=automatic";
        all[4] = "--jsx-import-source=preact";
        all[5] = "--outdir=bundle";
        all[6] = "--entry-names=[name]-[hash]";
        all[7] = "--log-level=warning";
        System.arraycopy(options, 0, all, 8, options.length);
        NativeProgram.run(work, esbuild, all);
    }
}
