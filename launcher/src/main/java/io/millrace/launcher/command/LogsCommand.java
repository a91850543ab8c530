package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.NumberBetween;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.SuiteSettings;
import io.millrace.launcher.suite.SuiteState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "logs",
        description = {
            "shows the logs of the services, in the order of time",
            "For example: ./millrace logs -f services. A running suite is not needed."
        })
final class LogsCommand implements Callable<Integer> {

    private static final Duration POLL = Duration.ofMillis(200);

    private final Workspace workspace;
    private final Output output;

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description =
                    "services, redis or launcher (default: all); in a distribution each service has a log of its own")
    private List<String> names = new ArrayList<>();

    @Option(
            names = {"-f", "--follow"},
            description = "goes on with new lines until Ctrl-C")
    private boolean follow;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            converter = NumberBetween.Lines.class,
            description = "how many lines to show (default: 100)")
    private int lines = 100;

    @Option(names = "--json", description = "prints each line as JSON with the name of its log")
    private boolean json;

    LogsCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() throws IOException {
        List<LogFile> logs = logs();
        List<LogFile.Line> newest = new ArrayList<>();
        for (LogFile log : logs) {
            newest.addAll(log.last(lines));
        }
        newest.sort(Comparator.comparing(LogFile.Line::time));
        newest.subList(Math.max(0, newest.size() - lines), newest.size()).forEach(this::print);
        while (follow) {
            for (LogFile log : logs) {
                log.added().forEach(this::print);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return ExitCode.OK;
    }

    private List<LogFile> logs() {
        Path directory = workspace.running().map(SuiteState::logs).orElseGet(workspace::logs);
        Map<String, Path> all = new LinkedHashMap<>();
        SuiteSettings settings = UpCommand.settings(workspace, output);
        for (Service service : Service.values()) {
            String file = String.valueOf(settings.logFile(service).getFileName());
            all.put(file.replace(".log", ""), directory.resolve(file));
        }
        all.put("launcher", directory.resolve("launcher.log"));
        all.put("redis", workspace.data().resolve("redis/redis.log"));
        for (String name : names) {
            if (!all.containsKey(name)) {
                throw new LauncherException(
                        "There is no log " + name + "; the logs are " + String.join(", ", all.keySet()));
            }
        }
        List<LogFile> chosen = (names.isEmpty() ? all.keySet().stream() : names.stream())
                .map(name -> new LogFile(name, all.getOrDefault(name, directory)))
                .toList();
        if (!follow && chosen.stream().noneMatch(log -> Files.exists(log.path()))) {
            throw new LauncherException("There are no logs in " + directory + " yet; './millrace up' starts Millrace");
        }
        return chosen;
    }

    private void print(LogFile.Line line) {
        if (json) {
            output.data()
                    .println(JsonMapper.shared()
                            .createObjectNode()
                            .put("log", line.log())
                            .put("line", line.text()));
        } else {
            output.data()
                    .println(output.dataStyle().string("@|faint " + "%-16s".formatted(line.log()) + "|@ ")
                            + line.text());
        }
    }
}
