package io.millrace.workerprotocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerCommandTest {

    @TempDir
    Path directory;

    private Path home;

    @BeforeEach
    void createDistribution() throws IOException {
        home = directory.resolve("worker");
        Files.createDirectories(home.resolve("lib"));
        Files.createDirectories(home.resolve("graal"));
        Files.createFile(home.resolve("graal/compiler-25.0.3.jar"));
        Files.createFile(home.resolve("graal/word-25.0.3.jar"));
    }

    @Test
    void javaThatCanCompile_getsTheCompiler() throws IOException {
        WorkerCommand command = onJava("25.0.3", "java.base jdk.internal.vm.ci jdk.graal.compiler");

        assertThat(command.whyInterpreted()).isEmpty();
        assertThat(command.build(Path.of("/tmp/s"), Path.of("/tmp/crash")))
                .contains("-XX:+EnableJVMCI", "-Dmillrace.worker.interpreted=", "--sun-misc-unsafe-memory-access=allow")
                .anySatisfy(flag -> assertThat(flag)
                        .startsWith("--upgrade-module-path=")
                        .contains("compiler-25.0.3.jar")
                        .contains("word-25.0.3.jar"))
                .endsWith("io.millrace.worker.host.Main", "/tmp/s");
    }

    @Test
    void compilerOfJavaScript_isLeftToJavasFastCompiler() throws IOException {
        Path directives = Files.createFile(home.resolve("graal/directives.json"));
        String flag = "-XX:CompilerDirectivesFile=" + directives;

        assertThat(onJava("25.0.3", "jdk.internal.vm.ci").build(Path.of("/tmp/s"), Path.of("/tmp/crash")))
                .containsSubsequence("-XX:+UnlockDiagnosticVMOptions", flag, "io.millrace.worker.host.Main");
        assertThat(onJava("25.0.3", "java.base").build(Path.of("/tmp/s"), Path.of("/tmp/crash")))
                .doesNotContain(flag);
    }

    @Test
    void laterUpdate_getsTheCompiler() throws IOException {
        assertThat(onJava("25.0.10", "jdk.internal.vm.ci").whyInterpreted()).isEmpty();
    }

    @Test
    void otherJava_isInterpretedAndSaysWhy() throws IOException {
        assertThat(onJava("21.0.2", "jdk.internal.vm.ci").whyInterpreted())
                .get()
                .asString()
                .contains("21.0.2");
        assertThat(onJava("25.0.2", "jdk.internal.vm.ci").whyInterpreted())
                .get()
                .asString()
                .contains("25.0.2");
        assertThat(onJava("26", "jdk.internal.vm.ci").whyInterpreted()).isPresent();
        assertThat(onJava("25.0.3", "java.base").whyInterpreted())
                .get()
                .asString()
                .contains("jdk.internal.vm.ci");
        assertThat(onJava("25.0.3", "jdk.internal.vm.ci").interpreted().whyInterpreted())
                .isPresent();
    }

    @Test
    void java21_getsNoFlagThatItDoesNotKnow() throws IOException {
        assertThat(onJava("21.0.2", "jdk.internal.vm.ci").build(Path.of("/tmp/s"), Path.of("/tmp/crash")))
                .noneSatisfy(flag -> assertThat(flag).contains("sun-misc"))
                .noneSatisfy(flag -> assertThat(flag).contains("JVMCI"));
    }

    @Test
    void distributionWithoutCompiler_isInterpreted() throws IOException {
        Files.delete(home.resolve("graal/compiler-25.0.3.jar"));

        assertThat(onJava("25.0.3", "jdk.internal.vm.ci").whyInterpreted()).isPresent();
    }

    @Test
    void interpretedWorker_startsFromAnArchiveNextToTheDistribution() throws IOException {
        String archive = "-XX:SharedArchiveFile=" + directory.resolve("worker.jsa");

        assertThat(onJava("21.0.2", "").build(Path.of("/tmp/s"), Path.of("/tmp/crash")))
                .contains(archive)
                .doesNotContain("-XX:TieredStopAtLevel=1");
        assertThat(onJava("25.0.3", "jdk.internal.vm.ci").interpreted().build(Path.of("/tmp/s"), Path.of("/tmp/crash")))
                .contains(archive, "-XX:TieredStopAtLevel=1");
    }

    @Test
    void javaWithACompilerModuleOfItsOwn_upgradesItAndHasNoArchive() throws IOException {
        WorkerCommand command = onJava("25.0.3", "jdk.internal.vm.ci jdk.graal.compiler");

        assertThat(command.archive()).isEmpty();
        assertThat(command.build(Path.of("/tmp/s"), Path.of("/tmp/crash")))
                .noneMatch(flag -> flag.contains("SharedArchive"));
    }

    @Test
    void javaWithoutACompilerModule_addsItAndStartsFromAnArchive() throws IOException {
        WorkerCommand command = onJava("25.0.3", "jdk.internal.vm.ci");

        assertThat(command.archive()).contains(directory.resolve("worker-compiling.jsa"));
        assertThat(command.build(Path.of("/tmp/s"), Path.of("/tmp/crash")))
                .contains(
                        "-XX:SharedArchiveFile=" + directory.resolve("worker-compiling.jsa"),
                        "--add-modules=jdk.graal.compiler")
                .anySatisfy(
                        flag -> assertThat(flag).startsWith("--module-path=").contains("compiler-25.0.3.jar"))
                .noneMatch(flag -> flag.startsWith("--upgrade-module-path"));
    }

    @Test
    void heap_isAsAsked() throws IOException {
        assertThat(onJava("21", "").withHeapMib(64).build(Path.of("/tmp/s"), Path.of("/tmp/crash")))
                .contains("-Xmx64m");
    }

    @Test
    void distributionThatIsMissing_saysWhatToDo() {
        assertThatThrownBy(() -> WorkerCommand.of(directory.resolve("nowhere")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("MILLRACE_WORKER_HOME");
    }

    private WorkerCommand onJava(String version, String modules) throws IOException {
        Path java = Files.createTempDirectory(directory, "java");
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"%s\"\nMODULES=\"%s\"\n".formatted(version, modules));
        return WorkerCommand.of(home).withJavaHome(java);
    }
}
