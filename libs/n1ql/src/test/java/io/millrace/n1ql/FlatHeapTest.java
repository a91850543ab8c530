package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statements over more documents than the heap could hold. */
class FlatHeapTest {

    private static String run(String heap, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                MillionRows.class.getName()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    void millionRows_passThroughASmallHeap() throws IOException, InterruptedException {
        String said = run("-Xmx20m", "1000000", "200", "SELECT t.n, META(t).id FROM t WHERE t.n >= 0");

        assertThat(said).contains("read 1000000 rows");
    }

    /**
     * 40 MiB of documents. The same with {@code -Xmx384m}, 150,000 and 1000 is what a small server may be asked for.
     */
    @Test
    void sortsGroupsAndJoins_ofMoreThanTheHeap_useFiles() throws IOException, InterruptedException {
        String said = run(
                "-Xmx40m",
                "20000",
                "2000",
                "SELECT t.* FROM t ORDER BY t.m",
                "SELECT DISTINCT t.text, t.m FROM t",
                "SELECT t.m, ARRAY_AGG(t.text) AS l FROM t GROUP BY t.m",
                "SELECT t.n, u.text FROM t JOIN t AS u ON t.m = u.n");

        assertThat(said.lines()).hasSize(4).allMatch(line -> line.startsWith("read 20000 rows"));
    }
}
