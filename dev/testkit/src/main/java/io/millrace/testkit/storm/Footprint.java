package io.millrace.testkit.storm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a Java process holds.
 *
 * @param heapBytes the size of what is live on the heap, after a collection
 * @param descriptors open files and connections; 0 on systems other than Linux
 */
public record Footprint(long heapBytes, int descriptors) {

    private static final Pattern USED = Pattern.compile("(?m)^ *(?!Metaspace|class space)[a-zA-Z].*?used (\\d+)K");
    private static final int KIB = 1024;

    /** Collects the garbage of a process and measures it. The process must run on the same JDK, as the same user. */
    public static Footprint of(long pid) throws IOException, InterruptedException {
        command(pid, "GC.run");
        long bytes = 0;
        Matcher used = USED.matcher(command(pid, "GC.heap_info"));
        while (used.find()) {
            bytes += Long.parseLong(used.group(1)) * KIB;
        }
        return new Footprint(bytes, descriptors(pid));
    }

    /** Returns the open files and connections of a process; 0 on systems other than Linux. */
    public static int descriptors(long pid) throws IOException {
        Path directory = Path.of("/proc", Long.toString(pid), "fd");
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(directory)) {
            return Math.toIntExact(open.count());
        }
    }

    private static String command(long pid, String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("jcmd %d %s failed: %s".formatted(pid, command, output));
        }
        return output;
    }
}
