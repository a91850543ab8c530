package io.millrace.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamCopyTest {

    private static final AuditEvent.Actor ALICE = new AuditEvent.Actor("alice", "local", "basic", "10.0.0.7:1");

    @TempDir
    private Path directory;

    /** Keeps lines as metakv-service does. */
    private static final class Kept implements AuditStream {

        private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        private final BlockingQueue<Long> calls = new LinkedBlockingQueue<>();
        private volatile boolean reachable = true;
        private volatile boolean answersAreLost;
        private long last;

        @Override
        public synchronized CompletableFuture<Long> append(String trail, List<String> lines) {
            calls.add(last);
            if (!reachable) {
                return CompletableFuture.failedFuture(new IOException("metakv-service is away"));
            }
            for (String line : lines) {
                if (ChainedLine.sequenceOf(line) > last) {
                    last = ChainedLine.sequenceOf(line);
                    arrived.add(line);
                }
            }
            return answersAreLost
                    ? CompletableFuture.failedFuture(new IOException("the answer is lost"))
                    : CompletableFuture.completedFuture(last);
        }

        List<String> take(int count) throws InterruptedException {
            List<String> taken = new ArrayList<>();
            while (taken.size() < count) {
                taken.add(String.valueOf(arrived.poll(2, TimeUnit.MINUTES)));
            }
            return taken;
        }
    }

    private void record(FileSink file, int count) throws Exception {
        try (AuditTrail trail = new AuditTrail("eventing", InstantSource.system(), List.of(file))) {
            for (int i = 0; i < count; i++) {
                trail.record(AuditEvent.allowed(AuditKinds.FUNCTION_SAVE, ALICE, "f" + i, "r"))
                        .get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static List<String> lines(FileSink file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path one : FileSink.files(file.file())) {
            lines.addAll(Files.readAllLines(one));
        }
        return lines;
    }

    @Test
    void reader_thatMissesAFileBeingRenamed_looksAgain() throws Exception {
        Path path = directory.resolve("audit-x.jsonl");
        FileSink file = new FileSink(path, 20_000);
        record(file, 2);
        TrailReader reader = new TrailReader(file);

        Path aside = Files.move(path, directory.resolve("aside"));
        assertThat(reader.after(0, 10)).isEmpty();

        Files.move(aside, path);
        assertThat(reader.after(0, 10)).hasSize(2);
    }

    @Test
    void reader_looksAtTheFilesAgainOnlyWhenTheSinkHasWritten() throws Exception {
        Path path = directory.resolve("audit-x.jsonl");
        record(new FileSink(path, 20_000), 2);
        FileSink file = new FileSink(path, 20_000);
        TrailReader reader = new TrailReader(file);
        assertThat(reader.after(2, 10)).isEmpty();

        Path aside = Files.move(path, directory.resolve("aside"));
        Files.createDirectory(path); // cannot be read
        assertThat(reader.after(2, 10)).isEmpty();

        Files.delete(path);
        Files.move(aside, path);
        record(file, 1);
        assertThat(reader.after(2, 10)).hasSize(1);
        assertThat(reader.after(3, 10)).isEmpty();
        assertThat(reader.after(0, 10)).hasSize(3);
    }

    @Test
    void lines_areCopiedInOrder_fromFullFilesToo() throws Exception {
        FileSink file = new FileSink(directory.resolve("audit-x.jsonl"), 20_000);
        record(file, 120);
        Kept stream = new Kept();

        try (StreamCopy copy = StreamCopy.start(file, stream)) {
            record(file, 30);

            assertThat(stream.take(150)).isEqualTo(lines(file));
            assertThat(FileSink.files(file.file())).hasSizeGreaterThan(2);
        }
        assertThat(Verification.of(file.file()).lines()).isEqualTo(150);
    }

    @Test
    void copy_goesOnWhereItWas_afterAStartAndALostAnswer() throws Exception {
        FileSink file = FileSink.in(directory, "x");
        record(file, 3);
        Kept stream = new Kept();
        stream.answersAreLost = true;
        StreamCopy.start(file, stream).close();
        stream.answersAreLost = false;

        record(file, 2);
        try (StreamCopy copy = StreamCopy.start(FileSink.in(directory, "x"), stream)) {
            assertThat(stream.take(5)).isEqualTo(lines(file));
        }
        assertThat(stream.arrived).isEmpty();
    }

    @Test
    void streamThatIsAway_keepsNoActWaiting_andGetsTheLinesLater() throws Exception {
        FileSink file = FileSink.in(directory, "x");
        Kept stream = new Kept();
        stream.reachable = false;

        try (StreamCopy copy = StreamCopy.start(file, stream)) {
            assertThat(stream.calls.poll(2, TimeUnit.MINUTES)).isNotNull();
            record(file, 4);
            assertThat(lines(file)).hasSize(4);
            assertThat(stream.arrived).isEmpty();
            stream.reachable = true;

            assertThat(stream.take(4)).isEqualTo(lines(file));
        }
    }

    @Test
    void linesThatMayBeTakenBack_areNotRead() throws Exception {
        FileSink file = FileSink.in(directory, "x");
        record(file, 2);
        TrailReader reader = new TrailReader(file);
        String torn = lines(file).getLast().replace("\"seq\":2", "\"seq\":3");
        Files.writeString(file.file(), String.join("\n", lines(file)) + "\n" + torn + "\n{\"seq\":4");

        assertThat(reader.after(0, 10)).hasSize(2);
        assertThat(reader.after(1, 10)).hasSize(1);
        assertThat(new TrailReader(FileSink.in(directory, "x")).after(0, 10)).hasSize(3);
    }

    @Test
    void trail_hasANameOfItsOwn_thatLasts() throws Exception {
        String name = FileSink.in(directory, "x").trail();

        assertThat(name).matches("x-[0-9a-f]{16}");
        assertThat(FileSink.in(directory, "x").trail()).isEqualTo(name);
        assertThat(FileSink.in(directory.resolve("other"), "x").trail()).isNotEqualTo(name);
        assertThat(Comparison.trail(directory.resolve("audit-x.jsonl"))).contains(name);
    }

    @Test
    void comparison_namesLinesThatAreMissingAlteredOrAdded() throws Exception {
        FileSink file = FileSink.in(directory, "x");
        record(file, 6);
        List<String> copied = lines(file).subList(1, 5);

        assertThat(Comparison.of(file.file(), copied.iterator())).isEqualTo(new Comparison(4, 1, List.of()));

        List<String> changed = lines(file);
        changed.set(1, changed.get(1).replace("alice", "mallory"));
        changed.remove(2);
        Files.write(file.file(), changed);
        assertThat(Comparison.of(file.file(), copied.iterator()).differences())
                .containsExactly(
                        "line 2 was altered: the stream has " + copied.get(0),
                        "line 3 is in the stream and missing in the file");

        Files.write(file.file(), lines(file).subList(0, 1));
        assertThat(Comparison.of(file.file(), copied.iterator()).differences()).hasSize(4);

        Files.write(file.file(), copied);
        assertThat(Comparison.of(
                                file.file(),
                                List.of(copied.get(0), copied.get(2)).iterator())
                        .differences())
                .containsExactly("line 3 is in the file and not in the stream: it was added, or removed there");
    }
}
