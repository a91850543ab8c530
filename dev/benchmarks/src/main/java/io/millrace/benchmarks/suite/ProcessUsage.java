package io.millrace.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** CPU time and memory of a process; 0 for a process that has ended. */
public final class ProcessUsage {

    private ProcessUsage() {}

    /** Returns the CPU time of a process so far, user and system. */
    public static Duration cpu(long pid) {
        return ProcessClock.read(pid)
                .or(() -> ProcessHandle.of(pid).flatMap(handle -> handle.info().totalCpuDuration()))
                .orElse(Duration.ZERO);
    }

    /** Returns the CPU time of each process by its name. */
    public static Map<String, Duration> cpu(Map<String, Long> processes) {
        Map<String, Duration> used = new LinkedHashMap<>();
        processes.forEach((name, pid) -> used.put(name, cpu(pid)));
        return used;
    }

    /** Returns the resident memory of a process in MiB, or 0 on systems other than Linux. */
    public static long residentMiB(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
