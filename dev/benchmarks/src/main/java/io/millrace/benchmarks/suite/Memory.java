package io.millrace.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The memory of several processes, from {@code /proc/<pid>/smaps_rollup}; Linux only.
 *
 * @param residentMiB all resident pages; those that processes share count once for each
 * @param proportionalMiB a page that n processes share counts for each of them as an nth
 */
public record Memory(long residentMiB, long proportionalMiB) {

    public static Memory ofAll(List<Long> pids) throws IOException {
        long resident = 0;
        long proportional = 0;
        for (long pid : pids) {
            List<String> rollup = Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"));
            resident += kibibytes(rollup, "Rss:");
            proportional += kibibytes(rollup, "Pss:");
        }
        return new Memory(resident / 1024, proportional / 1024);
    }

    public static long kibibytes(List<String> rollup, String key) {
        return rollup.stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }
}
