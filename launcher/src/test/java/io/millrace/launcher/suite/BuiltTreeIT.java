package io.millrace.launcher.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the directory of the worker; acceptance tests cover unpacking the jars of services. */
class BuiltTreeIT {

    @TempDir
    Path root;

    private BuiltTree tree;
    private Path built;

    @BeforeEach
    void build() throws IOException {
        tree = new BuiltTree(root, root.resolve("home"));
        built = Files.createDirectories(root.resolve("eventing-worker/target/worker/lib"));
        Files.writeString(built.resolve("worker.jar"), "one");
    }

    @Test
    void workerHome_isACopyThatSurvivesTheNextBuild() throws IOException {
        Path home = tree.workerHome();
        Files.delete(built.resolve("worker.jar"));

        assertThat(home.resolve("lib/worker.jar")).hasContent("one");
    }

    @Test
    void workerHome_hasTheArchiveThatTheBuildHasMade() throws IOException {
        Files.writeString(root.resolve("eventing-worker/target/worker.jsa"), "of one");

        Path home = tree.workerHome();

        assertThat(home.resolveSibling("worker.jsa")).hasContent("of one");
    }

    @Test
    void workerHome_afterAChange_isCopiedAgain() throws IOException {
        tree.workerHome();
        Files.writeString(built.resolve("worker.jar"), "two");
        Files.setLastModifiedTime(built.resolve("worker.jar"), FileTime.from(Instant.ofEpochSecond(1)));
        Files.writeString(built.resolve("more.jar"), "more");

        Path home = tree.workerHome();

        assertThat(home.resolve("lib/worker.jar")).hasContent("two");
        assertThat(home.resolve("lib/more.jar")).exists();
    }

    @Test
    void workerHome_forConcurrentCallers_isCompleteForEach() throws IOException {
        for (int i = 0; i < 200; i++) {
            Files.writeString(built.resolve("more" + i + ".jar"), "more");
        }

        var homes = Stream.generate(() -> new BuiltTree(root, root.resolve("home")))
                .limit(8)
                .map(each -> CompletableFuture.supplyAsync(
                        () -> each.workerHome().resolve("lib").toFile().list().length, Thread::startVirtualThread))
                .toList();

        assertThat(homes).allSatisfy(files -> assertThat(files.join()).isEqualTo(201));
    }

    @Test
    void workerHome_withoutAChange_isKept() throws IOException {
        Path kept = Files.writeString(tree.workerHome().resolve("archive"), "kept");

        tree.workerHome();

        assertThat(kept).exists();
    }

    @Test
    void javaArguments_ofAServiceThatWasNotBuilt_saysHowToBuild() {
        assertThatThrownBy(() -> tree.javaArguments(Service.GATEWAY))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("metakv-service.jar does not exist")
                .hasMessageContaining("./mvnw");
    }
}
