package io.millrace.launcher.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The process that listens on a port. Linux tells it, for the processes of the same user. */
final class PortHolder {

    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String LISTENING = "0A";

    /* The columns of a table of sockets: number, local address, remote address, state, ..., inode. */
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private PortHolder() {}

    /** Returns a process as {@code node (process 1234)}, or empty where it cannot be found out. */
    static Optional<String> of(int port) {
        Set<String> sockets = sockets(port);
        return sockets.isEmpty()
                ? Optional.empty()
                : ProcessHandle.allProcesses()
                        .filter(process -> hasOne(process, sockets))
                        .findFirst()
                        .map(PortHolder::described);
    }

    /** Returns what the descriptors of the sockets that listen on a port link to. */
    private static Set<String> sockets(int port) {
        String end = String.format(Locale.ROOT, ":%04X", port);
        Set<String> sockets = new HashSet<>();
        for (Path table : TABLES) {
            try (Stream<String> lines = Files.lines(table)) {
                lines.map(line -> line.strip().split("\\s+"))
                        .filter(columns -> columns.length > INODE
                                && columns[LOCAL_ADDRESS].endsWith(end)
                                && columns[STATE].equals(LISTENING))
                        .forEach(columns -> sockets.add("socket:[" + columns[INODE] + "]"));
            } catch (IOException | UncheckedIOException e) {
                // another operating system, or no IPv6
            }
        }
        return sockets;
    }

    private static boolean hasOne(ProcessHandle process, Set<String> sockets) {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            return descriptors.anyMatch(descriptor -> {
                try {
                    return sockets.contains(Files.readSymbolicLink(descriptor).toString());
                } catch (IOException e) {
                    return false; // closed meanwhile
                }
            });
        } catch (IOException | UncheckedIOException e) {
            return false; // of another user, or ended
        }
    }

    private static String described(ProcessHandle process) {
        String program = process.info()
                .command()
                .map(command -> String.valueOf(Path.of(command).getFileName()))
                .orElse("a program");
        boolean own = process.info().commandLine().orElse("").contains("millrace");
        return program + (own ? " of a Millrace" : "") + " (process " + process.pid() + ")";
    }
}
