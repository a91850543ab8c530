package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerCommand;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * The archive of classes next to the distribution, with which processes start in less than half of the time. A process writes it
 * when it ends in order, which those of tests hardly ever do.
 */
final class ClassArchive {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static boolean ensured;

    private ClassArchive() {}

    /** Makes the archive that processes of this command use, unless this build has it; of several JVMs with tests one does. */
    static synchronized void ensure(WorkerCommand command, Path distribution) throws IOException {
        if (ensured) {
            return;
        }
        Path archive = command.archive().orElseThrow();
        try (FileChannel channel = FileChannel.open(
                        archive.resolveSibling(archive.getFileName() + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            if (held.isValid() && !isOf(distribution, archive)) {
                Files.deleteIfExists(archive);
                runOnce(command);
            }
        }
        ensured = true;
    }

    private static boolean isOf(Path distribution, Path archive) throws IOException {
        return Files.exists(archive)
                && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(distribution.resolve("lib")))
                        > 0;
    }

    private static void runOnce(WorkerCommand command) throws IOException {
        try (LinkServer server = LinkServer.listen()) {
            Process process = new ProcessBuilder(
                            command.build(server.socket(), server.socket().resolveSibling("crash")))
                    .inheritIO()
                    .start();
            try (Link host = server.accept(PATIENCE)) {
                host.send(new Frame.WarmUp());
                assertThat(host.receive()).as("what says that it is warm").containsInstanceOf(Frame.Hello.class);
                host.send(new Frame.Shutdown());
                assertThat(process.onExit()).succeedsWithin(PATIENCE);
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
