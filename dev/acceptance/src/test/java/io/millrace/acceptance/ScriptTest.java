package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./millrace} with stand-ins for Maven, the JDK and Docker, so that it builds and starts nothing. */
class ScriptTest {

    private record Result(int exit, String output, String errors) {}

    @TempDir
    private Path temp;

    @Test
    void help_listsTheCommands() throws Exception {
        Result help = run(tree(), Map.of(), "help");

        assertThat(help.exit()).isZero();
        assertThat(help.output())
                .contains("\n  up ", "\n  demo ", "\n  load ", "\n  test ", "\n  images ", "\n  bench ");
    }

    @Test
    void anUnknownCommand_isAUsageError() throws Exception {
        Result result = run(tree(), Map.of(), "frobnicate");

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.errors())
                .isEqualTo("millrace: unknown command: frobnicate ('./millrace help' lists the commands)\n");
    }

    @Test
    void noCommand_isAUsageError() throws Exception {
        assertThat(run(tree(), Map.of()).exit()).isEqualTo(2);
    }

    @Test
    void version_isTheVersionOfTheBuild() throws Exception {
        Result version = run(tree(), Map.of(), "--version");

        assertThat(version.exit()).isZero();
        assertThat(version.output()).matches("millrace \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
    }

    @Test
    void linkToTheScript_worksAsTheScript() throws Exception {
        Path bin = Files.createDirectories(temp.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("installed"), tree().resolve("millrace"));
        Files.createSymbolicLink(bin.resolve("millrace"), Path.of("installed"));

        Result version = run(bin, Map.of(), "--version");

        assertThat(version.errors()).isEmpty();
        assertThat(version.output()).matches("millrace \\d.*\n");
    }

    @Test
    void javaHomeWithoutAJdk_isReportedWithWhatToDo() throws Exception {
        Result result = run(Repository.ROOT, Map.of("MILLRACE_JAVA_HOME", "/nowhere"), "up");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.errors())
                .contains("MILLRACE_JAVA_HOME=/nowhere is not a JDK 21 or newer")
                .contains("set it to the directory of one, or unset it");
    }

    @Test
    void secondCommand_afterAnUnchangedTree_doesNotBuildAgain() throws Exception {
        Path tree = tree();

        assertThat(run(tree, jdk(), "load", "file", "bucket").exit()).isZero();
        assertThat(run(tree, jdk(), "load", "file", "bucket").exit()).isZero();
        assertThat(builds(tree)).isEqualTo(1);

        assertThat(run(tree, jdk(), "bench").exit()).isZero();
        assertThat(run(tree, jdk(), "bench").exit()).isZero();
        assertThat(builds(tree)).as("the benchmarks are one more module").isEqualTo(2);
    }

    @Test
    void upDemoAndQuery_onAFreshClone_buildOnce() throws Exception {
        Path tree = tree();

        for (List<String> command : List.of(List.of("up"), List.of("demo"), List.of("query", "SELECT 1"))) {
            Result result = run(tree, jdk(), command.toArray(String[]::new));

            assertThat(result.exit()).as(result.errors()).isZero();
            assertThat(result.output()).as("the launcher was started").isEqualTo("java\n");
            assertThat(builds(tree)).as(command.getFirst()).isEqualTo(1);
        }
    }

    @Test
    void changedSource_isBuiltByTheNextCommand() throws Exception {
        Path tree = tree();
        assertThat(run(tree, jdk(), "load", "file", "bucket").exit()).isZero();

        for (String source : List.of("pom.xml", "launcher/src/main/Main.java", "libs/streams/src/main/Stream.java")) {
            int before = builds(tree);
            Files.createDirectories(tree.resolve(source).getParent());
            Files.writeString(tree.resolve(source), "changed");
            Files.setLastModifiedTime(
                    tree.resolve(source),
                    FileTime.from(Files.getLastModifiedTime(tree.resolve(".millrace/built"))
                            .toInstant()
                            .plusSeconds(1)));

            assertThat(run(tree, jdk(), "load", "file", "bucket").exit()).isZero();
            assertThat(builds(tree)).as(source).isEqualTo(before + 1);
            Files.setLastModifiedTime(tree.resolve(source), FileTime.from(Instant.EPOCH));
        }
    }

    @Test
    void buildMessages_leaveStandardOutputToTheCommand() throws Exception {
        Result result = run(tree(), jdk(), "query", "SELECT 1");

        assertThat(result.exit()).isZero();
        assertThat(result.output()).isEqualTo("java\n");
        assertThat(result.errors()).contains("Building Millrace");
    }

    @Test
    void failedBuild_endsTheCommand() throws Exception {
        Path tree = tree();
        executable(tree.resolve("mvnw"), "exit 1");

        Result result = run(tree, jdk(), "query", "SELECT 1");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.output()).isEmpty();
        assertThat(result.errors()).contains("the build failed");
    }

    @Test
    void failedCompilation_isSaidInOneSentenceWithTheNextStep() throws Exception {
        Path tree = tree();
        executable(tree.resolve("mvnw"), """
            echo '[INFO] Building json 0.1.0-SNAPSHOT   [2/24]'
            echo "[ERROR] $PWD/libs/json/src/main/java/Json.java:[3,5] cannot find symbol"
            echo '[ERROR] Failed to execute goal'
            exit 1
            """);

        Result result = run(tree, jdk(), "query", "SELECT 1");

        assertThat(result.errors().lines().toList())
                .last()
                .isEqualTo("millrace: the build failed: libs/json/src/main/java/Json.java:[3,5] cannot find symbol;"
                        + " correct that and run the command again (details: .millrace/build.log)");
    }

    @Test
    void buildWithoutNetwork_saysSo() throws Exception {
        Path tree = tree();
        executable(tree.resolve("mvnw"), """
            echo '[ERROR] Could not transfer artifact org.jline:jline:jar:3.30.0 from/to central: Unknown host'
            exit 1
            """);

        Result result = run(tree, jdk(), "query", "SELECT 1");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.errors().lines().toList())
                .last()
                .asString()
                .startsWith("millrace: the build stopped because a download of org.jline:jline:jar:3.30.0 failed;"
                        + " connect to the network");
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "up -d"})
    void up_leavesDataKeysAndLogsToTheirOwner(String command) throws Exception {
        Map<String, String> jdk = jdk();
        executable(temp.resolve("jdk/bin/java"), "umask");

        Result up = run(tree(), jdk, command.split(" "));

        assertThat(up.output()).endsWith("0077\n");
    }

    @Test
    void twoCommandsAtOnce_buildOnce() throws Exception {
        Path tree = tree();
        Path maven = tree.resolve("mvnw");
        Files.writeString(
                maven, Files.readString(maven).replaceFirst("\n", "\nuntil [ -e go ]; do sleep 0.05; done\n"));
        Map<String, String> jdk = jdk();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Result>> commands = List.of(
                    threads.submit(() -> run(tree, jdk, "load", "file", "bucket")),
                    threads.submit(() -> run(tree, jdk, "load", "file", "bucket")));
            await().until(() -> errorsSoFar().contains("waiting for it"));
            Files.createFile(tree.resolve("go"));

            for (Future<Result> command : commands) {
                assertThat(command.get().exit()).isZero();
            }
        }
        assertThat(builds(tree)).isEqualTo(1);
        assertThat(tree.resolve(".millrace/build.lock")).doesNotExist();
    }

    /** What the commands that run have written to standard error. */
    private String errorsSoFar() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(temp)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("errors"))
                    .toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @Test
    void build_leavesTheLauncherOfARunningSuiteAsItIs() throws Exception {
        Path tree = tree();
        run(tree, jdk(), "load", "file", "bucket");
        Path programs = launcherOf(tree);
        Files.writeString(programs.resolve("launcher.jar"), "in use");
        Files.writeString(tree.resolve("launcher/pom.xml"), "changed");
        Files.setLastModifiedTime(
                tree.resolve(".millrace/built"), FileTime.from(Instant.now().minusSeconds(10)));

        run(tree, jdk(), "load", "file", "bucket");

        assertThat(builds(tree)).isEqualTo(2);
        assertThat(launcherOf(tree)).isNotEqualTo(programs);
        assertThat(programs.resolve("launcher.jar")).hasContent("in use");
    }

    @Test
    void distribution_needsNoJdkNoBuildAndOnlyTheBasicsOfAShell() throws Exception {
        Path tree = Files.createDirectories(temp.resolve("distribution"));
        Files.copy(Repository.ROOT.resolve("millrace"), tree.resolve("millrace"));
        Files.createDirectories(tree.resolve("lib/launcher"));
        Files.createDirectories(tree.resolve("java/bin"));
        executable(tree.resolve("java/bin/java"), "echo \"$@\"");
        Path basics = Files.createDirectories(temp.resolve("basics"));
        executable(basics.resolve("dirname"), "exec /usr/bin/dirname \"$@\"");

        Result status = run(tree, Map.of("PATH", basics.toString(), "JAVA_HOME", ""), "status", "--json");
        Result developer = run(tree, Map.of("PATH", basics.toString(), "JAVA_HOME", ""), "test");

        assertThat(status.exit()).isZero();
        assertThat(status.output())
                .contains(" -Dmillrace.root=" + tree.toRealPath() + " ")
                .contains("-cp " + tree.toRealPath() + "/lib/launcher/*:")
                .endsWith("io.millrace.launcher.command.Main status --json\n");
        assertThat(developer.output())
                .as("the launcher says that it is unknown")
                .endsWith("Main test\n");
        assertThat(tree.resolve(".millrace")).doesNotExist();
    }

    @Test
    void dist_packsABuiltTreeWithItsBillOfMaterials() throws Exception {
        Path tree = tree();

        Result packed = run(tree, jdk(), "dist");

        assertThat(packed.exit()).as(packed.errors()).isZero();
        assertThat(builds(tree)).as("the build, and the bill of materials").isEqualTo(2);
        assertThat(tree.resolve("dev/distribution/target/distribution.jar")).exists();
        assertThat(run(tree, jdk(), "dist", "--fast").exit()).isEqualTo(2);
    }

    /** The end of a long log is all that a CI page shows. */
    @Test
    void test_namesWhatFailedAtTheEnd() throws Exception {
        Path tree = tree();
        executable(tree.resolve("mvnw"), """
                mkdir -p libs/json/target/surefire-reports
                cat >libs/json/target/surefire-reports/TEST-a.xml <<REPORT
                <testsuite name="a.JsonTest" tests="2" errors="0" skipped="0" failures="1">
                  <testcase name="good" classname="a.JsonTest" time="0.1"/>
                  <testcase name="bad" classname="a.JsonTest" time="0.1">
                    <failure message="expected: &lt;1&gt;&#10;but was: 2" type="E">the trace</failure>
                  </testcase>
                </testsuite>
                REPORT
                exit 1
                """);

        Result result = run(tree, jdk(), "test");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.output())
                .containsPattern(
                        "\\nfailed: a\\.JsonTest\\.bad: expected: <1> but was: 2\\n2 tests, 1 failed, 0 skipped, \\d+ s on ");
    }

    @Test
    void images_buildsEveryServiceAndPushesWhenAsked() throws Exception {
        Path bin = Files.createDirectories(temp.resolve("bin"));
        executable(bin.resolve("docker"), "echo docker \"$@\" >&2");
        Map<String, String> environment = Map.of(
                "PATH", bin + ":" + System.getenv("PATH"),
                "MILLRACE_REGISTRY", "registry.example.com/team",
                "MILLRACE_TAG", "1.2.3");

        Result built = run(Repository.ROOT, environment, "images");
        Result pushed = run(Repository.ROOT, environment, "images", "--push");

        assertThat(built.output())
                .isEqualTo(List.of("metakv-service", "subdoc-service", "eventing-service", "ui-gateway").stream()
                        .map(service -> "registry.example.com/team/millrace/" + service + ":1.2.3\n")
                        .reduce("", String::concat));
        assertThat(built.errors())
                .contains("--build-arg SERVICE=ui-gateway -t registry.example.com/team/millrace/ui-gateway:1.2.3")
                .doesNotContain("docker push");
        assertThat(pushed.errors().lines().filter(line -> line.startsWith("docker push registry.example.com/")))
                .hasSize(4);
    }

    @Test
    void images_withAnUnknownOption_isAUsageError() throws Exception {
        assertThat(run(Repository.ROOT, Map.of(), "images", "--publish").exit()).isEqualTo(2);
    }

    /** The script, with a Maven that counts its runs and creates the files that a build creates. */
    private Path tree() throws IOException {
        Path tree = Files.createDirectories(temp.resolve("tree"));
        Files.copy(Repository.ROOT.resolve("millrace"), tree.resolve("millrace"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(Repository.ROOT.resolve("pom.xml"), tree.resolve("pom.xml"), StandardCopyOption.REPLACE_EXISTING);
        Files.createDirectories(tree.resolve("launcher"));
        Files.copy(
                Repository.ROOT.resolve("launcher/help.txt"),
                tree.resolve("launcher/help.txt"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.createDirectories(tree.resolve(".mvn"));
        executable(tree.resolve("mvnw"), """
            echo build >>builds
            while [ "$1" != -pl ]; do shift; done
            for module in $(echo "$2" | tr ',' ' '); do
              case $module in
                eventing-worker) jar=$module/target/worker/lib/$module.jar ;;
                *) jar=$module/target/${module##*/}.jar ;;
              esac
              mkdir -p "${jar%/*}"
              touch "$jar"
            done
            mkdir -p launcher/target/lib
            """);
        return tree;
    }

    private static Path launcherOf(Path tree) throws IOException {
        return tree.resolve(".millrace/launcher")
                .resolve(Files.readString(tree.resolve(".millrace/built")).strip());
    }

    private static int builds(Path tree) throws IOException {
        return Files.readAllLines(tree.resolve("builds")).size();
    }

    private Map<String, String> jdk() throws IOException {
        Path home = temp.resolve("jdk");
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        executable(home.resolve("bin/java"), "echo java");
        executable(home.resolve("bin/javac"), "exit 1");
        return Map.of("MILLRACE_JAVA_HOME", home.toString());
    }

    private static void executable(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Result run(Path tree, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/bin/bash", "millrace"));
        command.addAll(List.of(arguments));
        Path errors = Files.createTempFile(temp, "errors", "");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(tree.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output, Files.readString(errors));
    }
}
