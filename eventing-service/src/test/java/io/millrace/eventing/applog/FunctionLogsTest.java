package io.millrace.eventing.applog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.eventing.applog.FunctionLogs.LogPolicy;
import io.millrace.workerprotocol.LogLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class FunctionLogsTest {

    private static final long TIME = 1_767_225_600_123L;

    @TempDir
    private Path directory;

    @Test
    void line_hasTimeLevelAndText() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.append("f", List.of(line("INFO", "hello")));

            assertThat(logs.newestFirst("f", 1000)).isEqualTo("2026-01-01T00:00:00.123Z [INFO] hello\n");
        }
    }

    @Test
    void lines_comeNewestFirst() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.append("f", List.of(line("INFO", "one"), line("INFO", "two")));
            logs.append("f", List.of(line("ERROR", "three")));

            assertThat(texts(logs, "f", 1000)).containsExactly("three", "two", "one");
        }
    }

    @Test
    void newlinesInText_stayOnOneLine() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.append("f", List.of(line("INFO", "a\nb\r\nc")));

            assertThat(texts(logs, "f", 1000)).containsExactly("a\\nb\\r\\nc");
        }
    }

    @Test
    void json_isOneObjectPerLine() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.configure("f", policy(1 << 20, 2, true, true, "INFO"));

            logs.append("f", List.of(line("INFO", "a \"b\"\n\\\u0001ü")));

            var json = JsonMapper.shared().readTree(logs.newestFirst("f", 1000));
            assertThat(json.get("text").asString()).isEqualTo("a \"b\"\n\\\u0001ü");
            assertThat(json.get("level").asString()).isEqualTo("INFO");
            assertThat(json.get("version").asLong()).isEqualTo(3);
            assertThat(json.get("time").asString()).isEqualTo("2026-01-01T00:00:00.123Z");
        }
    }

    @Test
    void jsonLines_nameTheDocumentOrTheStream() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.configure("f", policy(1 << 20, 2, true, true, "INFO"));

            logs.append(
                    "f",
                    List.of(
                            new LogLine("INFO", TIME, "x", new LogLine.About("", "", "", "Cart-7")),
                            new LogLine("INFO", TIME, "y", new LogLine.About("4bf92f", "s", "c", "a \"b\""))));

            assertThat(logs.newestFirst("f", 1000).lines())
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .contains("\"trace\":\"4bf92f\",\"document\":\"a \\\"b\\\"\",\"text\":\"y\""),
                            line -> assertThat(line).contains("\"version\":3,\"stream\":\"Cart-7\",\"text\":\"x\""));
        }
    }

    @Test
    void level_keepsLessSevereLinesOut() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.configure("f", policy(1 << 20, 2, true, false, "WARNING"));

            logs.append(
                    "f",
                    Stream.of("ERROR", "WARNING", "INFO", "DEBUG", "TRACE")
                            .map(level -> line(level, level))
                            .toList());

            assertThat(texts(logs, "f", 1000)).containsExactly("WARNING", "ERROR");
        }
    }

    @Test
    void files_areRotatedAtTheirSizeAndLimitedInNumber() throws IOException {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.configure("f", policy(1024, 3, true, false, "INFO"));

            for (int i = 0; i < 200; i++) {
                logs.append("f", List.of(line("INFO", "line %03d %s".formatted(i, "x".repeat(50)))));
            }

            try (Stream<Path> files = Files.list(directory)) {
                List<Path> found = files.toList();
                assertThat(found)
                        .extracting(path -> path.getFileName().toString())
                        .containsExactlyInAnyOrder("f.log", "f.log.1", "f.log.2");
                assertThat(found)
                        .allSatisfy(file -> assertThat(file)
                                .satisfies(path -> assertThat(Files.size(path)).isLessThanOrEqualTo(1024)));
            }
            List<String> texts = texts(logs, "f", 1 << 20);
            assertThat(texts).hasSizeGreaterThan(20);
            assertThat(texts.getFirst()).startsWith("line 199");
            for (int i = 0; i < texts.size(); i++) {
                assertThat(texts.get(i)).startsWith("line %03d".formatted(199 - i));
            }
        }
    }

    @Test
    void oneBigAppend_isSpreadOverFiles() throws IOException {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.configure("f", policy(1024, 100, true, false, "INFO"));

            logs.append(
                    "f",
                    IntStream.range(0, 100)
                            .mapToObj(i -> line("INFO", "line " + i))
                            .toList());

            assertThat(Files.size(directory.resolve("f.log"))).isLessThanOrEqualTo(1024);
            assertThat(texts(logs, "f", 1 << 20)).hasSize(100);
        }
    }

    @Test
    void withoutRotation_oneFileStopsGrowing() throws IOException {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.configure("f", policy(1024, 3, false, false, "INFO"));

            for (int i = 0; i < 100; i++) {
                logs.append("f", List.of(line("INFO", "line " + i)));
            }

            assertThat(directory.resolve("f.log"))
                    .exists()
                    .content()
                    .startsWith("2026-01-01T00:00:00.123Z [INFO] line 0\n");
            assertThat(Files.size(directory.resolve("f.log"))).isBetween(900L, 1024L);
            assertThat(directory.resolve("f.log.1")).doesNotExist();
        }
    }

    @Test
    void size_givesWholeNewestLinesOnly() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.append(
                    "f",
                    IntStream.range(0, 10)
                            .mapToObj(i -> line("INFO", "line " + i))
                            .toList());
            int oneLine = "2026-01-01T00:00:00.123Z [INFO] line 0\n".length();

            assertThat(texts(logs, "f", 3 * oneLine + 5)).containsExactly("line 9", "line 8", "line 7");
        }
    }

    @Test
    void restart_goesOnInTheSameFile() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.append("f", List.of(line("INFO", "one")));
        }
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.append("f", List.of(line("INFO", "two")));

            assertThat(texts(logs, "f", 1000)).containsExactly("two", "one");
        }
    }

    @Test
    void delete_removesEveryFile() throws IOException {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.configure("f", policy(1024, 3, true, false, "INFO"));
            logs.append(
                    "f",
                    IntStream.range(0, 100)
                            .mapToObj(i -> line("INFO", "line " + i))
                            .toList());

            logs.delete("f");

            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files).isEmpty();
            }
            assertThat(logs.newestFirst("f", 1000)).isEmpty();
        }
    }

    @Test
    void fewerFiles_deletesTheOldest() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.configure("f", policy(1024, 5, true, false, "INFO"));
            logs.append(
                    "f",
                    IntStream.range(0, 300)
                            .mapToObj(i -> line("INFO", "line " + i))
                            .toList());
            assertThat(directory.resolve("f.log.4")).exists();

            logs.configure("f", policy(1024, 2, true, false, "INFO"));

            assertThat(directory.resolve("f.log.1")).exists();
            assertThat(directory.resolve("f.log.2")).doesNotExist();
            assertThat(directory.resolve("f.log.4")).doesNotExist();
        }
    }

    @Test
    void functionsInScopes_haveFilesOfTheirOwn() {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.append("b/s/f", List.of(line("INFO", "scoped")));
            logs.append("f", List.of(line("INFO", "global")));

            assertThat(texts(logs, "b/s/f", 1000)).containsExactly("scoped");
            assertThat(texts(logs, "f", 1000)).containsExactly("global");
        }
    }

    @Test
    void logs_stayInsideTheLogFolder() {
        try (FunctionLogs logs = new FunctionLogs(directory.resolve("inner"))) {
            assertThatThrownBy(() -> logs.newestFirst("../../evil", 10)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void unwritableDisk_losesLinesAndCountsThem() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        try (FunctionLogs logs = new FunctionLogs(file)) {
            logs.append("f", List.of(line("INFO", "lost"), line("INFO", "too")));

            assertThat(logs.lostLines()).isEqualTo(2);
        }
    }

    @Test
    void linesOfManyThreads_areNotMixed() throws InterruptedException {
        try (FunctionLogs logs = new FunctionLogs(directory)) {
            logs.configure("f", policy(4096, 1000, true, false, "INFO"));
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                int number = thread;
                threads.add(Thread.ofPlatform().start(() -> {
                    await(go);
                    for (int i = 0; i < 100; i++) {
                        logs.append("f", List.of(line("INFO", "thread %d line %03d".formatted(number, i))));
                    }
                }));
            }
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(texts(logs, "f", 1 << 20))
                    .hasSize(800)
                    .doesNotHaveDuplicates()
                    .allMatch(text -> text.matches("thread \\d line \\d{3}"));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private static LogPolicy policy(long bytes, int files, boolean rotate, boolean json, String level) {
        return new LogPolicy("", bytes, files, rotate, json, level, 3);
    }

    private static LogLine line(String level, String text) {
        return new LogLine(level, TIME, text);
    }

    private static List<String> texts(FunctionLogs logs, String function, int size) {
        return logs.newestFirst(function, size)
                .lines()
                .map(line -> line.substring(line.indexOf("] ") + 2))
                .toList();
    }
}
