package io.millrace.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Records Java processes with the flight recorder, by their {@code jcmd}, and keeps a file of each. */
public final class Recording {

    private static final String NAME = "millrace-bench";
    private static final long PATIENCE_SECONDS = 60;

    private final Map<String, Long> recorded = new LinkedHashMap<>();
    private final Path file;

    /** @param file the name of the process comes before its ending */
    private Recording(Path file) {
        this.file = file.toAbsolutePath();
    }

    /** Starts to record processes, by their names; this one and those that are not Java are left out. */
    public static Recording start(Path file, Map<String, Long> processes) throws IOException, InterruptedException {
        Recording recording = new Recording(file);
        for (Map.Entry<String, Long> process : processes.entrySet()) {
            if (process.getValue() != ProcessHandle.current().pid()
                    && jcmd(process.getValue(), "JFR.start", "name=" + NAME, "settings=profile")) {
                recording.recorded.put(process.getKey(), process.getValue());
            }
        }
        return recording;
    }

    /** Ends the recordings and returns their files by the names of the processes. */
    public Map<String, Path> keep() throws IOException, InterruptedException {
        Map<String, Path> kept = new LinkedHashMap<>();
        for (Map.Entry<String, Long> process : recorded.entrySet()) {
            Path own = fileOf(file, process.getKey());
            if (jcmd(process.getValue(), "JFR.stop", "name=" + NAME, "filename=" + own)) {
                kept.put(process.getKey(), own);
            }
        }
        return kept;
    }

    public static Path fileOf(Path file, String process) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        String own = dot < 0 ? name + '-' + process : name.substring(0, dot) + '-' + process + name.substring(dot);
        return file.resolveSibling(own);
    }

    private static boolean jcmd(long pid, String... command) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String[] whole = new String[command.length + 2];
        whole[0] = program;
        whole[1] = Long.toString(pid);
        System.arraycopy(command, 0, whole, 2, command.length);
        Process process = new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }
}
