package io.millrace.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a trail from a sequence on, and remembers its place in the file. Not thread-safe. */
final class TrailReader {

    private static final int BUFFER_BYTES = 256 << 10;

    private final FileSink sink;
    private @Nullable Object file;
    private long offset;

    /** The sequence of the line that ends at the offset. */
    private long passed;

    /** The sequence behind which there were no lines. */
    private long endedAfter = -1;

    /** What the sink had acknowledged then: until it acknowledges more there are none. */
    private long endedAt = -1;

    TrailReader(FileSink sink) {
        this.sink = sink;
    }

    /** Returns up to {@code max} lines after a sequence that are on disk for good; none if there are no more. */
    List<String> after(long sequence, int max) throws IOException {
        long before = sink.acknowledged();
        if (sequence == endedAfter && before == endedAt) {
            return List.of(); // looking at the files twice a second is much for a service at rest
        }
        List<String> lines = new ArrayList<>();
        for (Path path : FileSink.files(sink.file())) {
            if (lines.size() < max && !isBefore(path, sequence)) {
                read(path, sequence, max, lines);
            }
        }
        long last = sink.acknowledged(); // after reading: what is written meanwhile may be taken back
        lines.removeIf(line -> ChainedLine.sequenceOf(line) > last);
        boolean allRead = sequence >= before || before == FileSink.ALL; // else a file was renamed just now
        if (lines.isEmpty() && allRead) {
            endedAfter = sequence;
            endedAt = before;
        }
        return lines;
    }

    /** The name of a full file ends with the sequence of its last line. */
    private boolean isBefore(Path path, long sequence) {
        String name = path.getFileName().toString();
        String end = name.substring(sink.file().getFileName().toString().length());
        return !end.isEmpty() && Long.parseLong(end.substring(1)) <= sequence;
    }

    private void read(Path path, long sequence, int max, List<String> lines) throws IOException {
        Object key;
        try {
            key = Objects.requireNonNullElse(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey(), path);
        } catch (NoSuchFileException e) {
            return; // it was renamed just now: the next call finds it
        }
        if (!key.equals(file) || sequence < passed || Files.size(path) < offset) {
            file = key;
            offset = 0;
            passed = 0;
        }
        try (FileChannel channel = FileChannel.open(path)) {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            while (lines.size() < max && channel.read(buffer.clear(), offset) > 0) {
                if (!take(buffer.flip(), sequence, max, lines)) {
                    return; // no whole line
                }
            }
        }
    }

    /** Takes the whole lines of a buffer that are wanted, up to the maximum; returns whether there was one. */
    private boolean take(ByteBuffer buffer, long sequence, int max, List<String> lines) {
        byte[] bytes = buffer.array();
        int begin = 0;
        for (int at = 0; at < buffer.limit() && lines.size() < max; at++) {
            if (bytes[at] != '\n') {
                continue;
            }
            String line = new String(bytes, begin, at - begin, StandardCharsets.UTF_8);
            begin = at + 1;
            passed = ChainedLine.sequenceOf(line);
            if (passed > sequence) {
                lines.add(line);
            }
        }
        offset += begin;
        return begin > 0;
    }
}
