package io.millrace.eventing.hosts;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Who waits when the processors are busy: the worker processes rather than the services of the node, and Redis. */
final class Precedence {

    /** The largest niceness. With 5, a thread gets a third of what one of the service gets while both want to run. */
    static final int MOST = 19;

    private Precedence() {}

    /** Returns the command that starts the same program with a niceness, where the system has a program for that. */
    static List<String> of(int niceness, List<String> command) {
        Optional<Path> program =
                niceness == 0 ? Optional.empty() : nice(System.getenv().getOrDefault("PATH", ""));
        return program.map(found -> {
                    List<String> nicer = new ArrayList<>(List.of(found.toString(), "-n", Integer.toString(niceness)));
                    nicer.addAll(command);
                    return nicer;
                })
                .orElse(command);
    }

    /** Returns the program of POSIX, which the command replaces, so that the process id stays. */
    static Optional<Path> nice(String directories) {
        return Stream.of(directories.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "nice"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
