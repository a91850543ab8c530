package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.functionfiles.FunctionFilesException;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

@Command(
        name = "dev",
        description = {
            "deploys a function whenever one of its files is saved, and shows its log, until Ctrl-C",
            "Buckets that do not exist are created. A mistake is shown with its line, and the code before it goes on."
        })
final class DevCommand implements Callable<Integer> {

    /** Files are compared by time and size: notifications of the file system are late or absent on some systems. */
    private static final Duration POLL = Duration.ofMillis(300);

    private final Cli cli;

    @Parameters(paramLabel = "DIR", description = "the directory of the function")
    private Path path = Path.of("");

    DevCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() throws IOException {
        FunctionDirectory directory = new FunctionDirectory(path);
        try (FunctionServer server = cli.server()) {
            FunctionId id = FunctionId.of(directory.definition());
            String deployed = "";
            boolean following = false;
            while (true) {
                String now = fingerprint(directory);
                if (!now.equals(deployed)) {
                    deployed = now;
                    boolean runs = deploy(server, directory);
                    if (runs && !following) {
                        following = true;
                        follow(server, id);
                    }
                }
                LockSupport.parkNanos(POLL.toNanos());
                if (Thread.interrupted()) {
                    return ExitCode.OK;
                }
            }
        }
    }

    private static String fingerprint(FunctionDirectory directory) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String file :
                List.of(FunctionDirectory.CODE, FunctionDirectory.TYPESCRIPT, FunctionDirectory.DEFINITION)) {
            Path path = directory.path().resolve(file);
            text.append(Files.exists(path) ? Files.getLastModifiedTime(path) + "/" + Files.size(path) : "none")
                    .append(' ');
        }
        return text.append(directory.libraries().hashCode()).toString();
    }

    private boolean deploy(FunctionServer server, FunctionDirectory directory) {
        long start = System.nanoTime();
        try {
            directory.writeEditorFiles();
            server.saveLibraries(directory.libraries());
            Plan plan = Plan.of(server, List.of(directory), false);
            for (Plan.Step step : plan.steps()) {
                if (step instanceof Plan.Save save) {
                    server.createBuckets(save.definition());
                    server.carryOut(save, "dev");
                }
                server.await(step.id(), "deployed");
                cli.talk()
                        .printf(
                                "%s is deployed, version %d (%d ms)%n",
                                step.id(),
                                server.state(step.id()).path("version").asLong(),
                                (System.nanoTime() - start) / 1_000_000);
            }
            return true;
        } catch (LauncherException | FunctionFilesException mistake) {
            cli.talk().println(mistake.getMessage());
            return false;
        }
    }

    private void follow(FunctionServer server, FunctionId id) {
        Thread.ofVirtual().name("log").start(() -> {
            try {
                new LogStream(server.follow(id)).forEach(cli.data()::println);
            } catch (IOException | LauncherException ended) {
                cli.talk().println("The log has ended: " + ended.getMessage());
            }
        });
    }
}
