package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.packages.PackageBundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A directory with packages, as npm leaves it, becomes a library: made by the esbuild of this build, run in a function. */
class NpmPackagesIT {

    private static final String OLD_STYLE = """
            const width = require('wide');
            module.exports = function pad(text) { return String(text).padStart(width); };
            """;

    private final Api api = new Api(RunningSuite.gateway());
    private final Path directory = RunningSuite.scratch("packages").resolve("padding");

    @BeforeEach
    void install() throws IOException {
        write(
                "package.json",
                "{\"name\": \"padding\", \"module\": \"src/main.js\", \"dependencies\": {\"padder\": \"^1.0.0\"}}");
        write("package-lock.json", """
                {"lockfileVersion": 3, "packages": {
                  "": {"name": "padding"},
                  "node_modules/padder": {"version": "1.2.3", "integrity": "sha512-cGFkZGVy"},
                  "node_modules/padder/node_modules/wide": {"version": "0.1.0", "integrity": "sha512-d2lkZQ"},
                  "node_modules/unused": {"version": "9.9.9", "integrity": "sha512-dW51c2Vk"}}}
                """);
        write(
                "src/main.js",
                "import pad from 'padder';\nexport default pad;\nexport const twice = (text) => pad(text + text);\n");
        write("node_modules/padder/package.json", "{\"name\": \"padder\", \"version\": \"1.2.3\"}");
        write("node_modules/padder/index.js", OLD_STYLE);
        write("node_modules/padder/node_modules/wide/package.json", "{\"name\": \"wide\", \"version\": \"0.1.0\"}");
        write("node_modules/padder/node_modules/wide/index.js", "module.exports = 6;");
        Path programs = Files.createDirectories(directory.resolve("node_modules/.bin"));
        Files.createSymbolicLink(programs.resolve("esbuild"), esbuild());
    }

    @AfterEach
    void close() {
        api.close();
    }

    /** The console is built with it. */
    private static Path esbuild() throws IOException {
        try (Stream<Path> files = Files.find(
                Repository.ROOT.resolve("console/target/web/node_modules/@esbuild"),
                3,
                (file, about) -> file.endsWith("esbuild") && about.isRegularFile())) {
            return files.findFirst().orElseThrow();
        }
    }

    private void write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private int bundle(String id) {
        return FnCommand.run("library", "bundle", id, directory.toString()).status();
    }

    /** Returns why the directory cannot be bundled. */
    private String refusal() {
        LauncherException refused = catchThrowableOfType(LauncherException.class, () -> PackageBundle.of(directory));
        return String.valueOf(refused.getMessage());
    }

    @Test
    void packages_runInAFunction_andTheLibraryNamesThem() {
        assertThat(bundle("padding@1.0.0")).isZero();
        assertThat(bundle("padding@1.0.0"))
                .as("the same files are the same module, which may be saved again")
                .isZero();

        assertThat(FnCommand.run("library", "show", "padding@1.0.0").printed())
                .contains(" * padder 1.2.3 sha512-cGFkZGVy\n", " * wide 0.1.0 sha512-d2lkZQ\n")
                .doesNotContain("unused");
        api.bucket("padding_source");
        api.bucket("eventing");
        api.deploy("padding", """
                {"appname": "padding",
                 "appcode": "import pad, {twice} from 'padding@1.0.0';\\nfunction OnRequest(request) { return {body: [pad('a'), twice('bc')]}; }",
                 "depcfg": {"source_bucket": "padding_source", "metadata_bucket": "eventing"},
                 "settings": {}}
                """);
        await().atMost(Api.PATIENCE)
                .untilAsserted(() -> assertThat(api.get("/fn/padding").body()).isEqualTo("[\"     a\",\"  bcbc\"]"));
        api.undeploy("padding");
    }

    @Test
    void packageThatNeedsNode_isRefused() throws IOException {
        write("node_modules/padder/index.js", "exports.files = require('node:fs');");

        assertThat(refusal())
                .contains(
                        "node_modules/padder/index.js:1 imports 'node:fs', a module of Node, which functions do not have");
        assertThat(bundle("node@1")).isEqualTo(1);
        assertThat(api.get("/api/v1/libraries/node/versions/1").status()).isEqualTo(404);
    }

    @Test
    void packageThatIsNotInstalled_isNamed() throws IOException {
        write("src/main.js", "export {gone} from 'gone';");

        assertThat(refusal()).contains("src/main.js:1 imports 'gone', which is not installed");
    }

    @Test
    void syntaxError_isToldAsEsbuildTellsIt() throws IOException {
        write("src/main.js", "export const = 1;");

        assertThat(refusal()).contains("cannot be bundled", "src/main.js:1:13");
    }

    @Test
    void withoutALock_orWithAnotherOne_nothingIsBundled() throws IOException {
        write("node_modules/padder/package.json", "{\"name\": \"padder\", \"version\": \"1.2.4\"}");
        assertThat(refusal()).contains("padder 1.2.4 is installed, and package-lock.json names 1.2.3; run 'npm ci'");

        write(
                "package-lock.json",
                "{\"lockfileVersion\": 3, \"packages\": {\"node_modules/padder\": {\"version\": \"1.2.4\"}}}");
        assertThat(refusal()).contains("pins no version and integrity of ");

        Files.delete(directory.resolve("package-lock.json"));
        assertThat(refusal()).contains("has no package-lock.json");
    }

    @Test
    void moduleThatIsTooLarge_isRefusedWithWhatIsInIt() throws IOException {
        write("node_modules/padder/index.js", "module.exports = '" + "x".repeat(1 << 20) + "';");

        assertThat(refusal()).contains("and a library at most 1,048,576; import less of padder");
    }

    @Test
    void esbuildThatIsMissing_isAskedFor() throws IOException {
        Files.delete(directory.resolve("node_modules/.bin/esbuild"));

        assertThat(refusal()).contains("run 'npm install --save-dev esbuild' in " + directory);
    }
}
