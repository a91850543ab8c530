package io.millrace.distribution;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The archive of the classes of a worker process: the JVM writes it at the end of the first process, what was loaded until its
 * engine was warm.
 */
final class WorkerArchive {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    /** Writing an archive takes some seconds of processor time, on a machine that may have other work. */
    private static final Duration WRITE_LIMIT = Duration.ofMinutes(5);

    private WorkerArchive() {}

    /**
     * Starts and ends a worker process.
     *
     * @param workerHome the directory of the worker; the archive is made next to it
     * @param java the Java that will run the workers
     */
    static void make(Path workerHome, Path java) throws IOException, InterruptedException {
        WorkerCommand command = WorkerCommand.of(workerHome).withJavaHome(java);
        Path archive = command.archive()
                .orElseThrow(() ->
                        new DistributionException("Workers on the Java in " + java + " can use no class archive"));
        Process process;
        try (LinkServer server = LinkServer.listen()) {
            process = new ProcessBuilder(
                            command.build(server.socket(), workerHome.resolveSibling("crash-of-the-worker")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (Link link = server.accept(START_LIMIT)) {
                link.send(new Frame.WarmUp());
                expectCompiler(link.receive().orElse(null));
                link.send(new Frame.Shutdown());
                process.waitFor(WRITE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            } finally {
                process.destroyForcibly();
            }
        }
        if (!Files.exists(archive)) {
            throw new DistributionException("Java wrote no class archive " + archive + "; see the messages above");
        }
    }

    /** The first frame says that the process is warm. */
    private static void expectCompiler(@Nullable Frame first) {
        if (!(first instanceof Frame.Hello hello) || !hello.runtime().startsWith("optimized: ")) {
            throw new DistributionException(
                    "Workers do not compile JavaScript on the Java of the distribution; the first said " + first
                            + ". Pack it with the version of Java that the compiler in eventing-worker/pom.xml belongs"
                            + " to");
        }
    }
}
