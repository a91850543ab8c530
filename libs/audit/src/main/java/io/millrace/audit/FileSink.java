package io.millrace.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that only its owner may read. A full one is renamed, with the number of its last line, and the chain goes on in a new one. What a crash left of a line is cut off: it was never acknowledged.
 */
public final class FileSink implements AuditSink {

    /** How long a file becomes before the next one is begun. */
    static final long MAX_BYTES = 64L << 20;

    /** More than the longest line has. */
    private static final int TAIL_BYTES = 128 << 10;

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final long maxBytes;

    /** Returns a sink that writes {@code audit-NAME.jsonl} in a directory, which it creates. */
    public static FileSink in(Path directory, String name) {
        return new FileSink(directory.resolve("audit-" + name + ".jsonl"), MAX_BYTES);
    }

    FileSink(Path file, long maxBytes) {
        this.file = file.toAbsolutePath();
        this.maxBytes = maxBytes;
    }

    @Override
    public @Nullable String last() throws IOException {
        if (!Files.exists(file)) {
            return lastOfTheFullOnes();
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            byte[] tail = tail(channel);
            int end = newlineBefore(tail, tail.length);
            int torn = tail.length - end - 1;
            if (torn > 0) {
                channel.truncate(channel.size() - torn);
            }
            if (end < 0) {
                return lastOfTheFullOnes();
            }
            int begin = newlineBefore(tail, end) + 1;
            return new String(tail, begin, end - begin, StandardCharsets.UTF_8);
        }
    }

    private static int newlineBefore(byte[] bytes, int end) {
        int at = end - 1;
        while (at >= 0 && bytes[at] != '\n') {
            at--;
        }
        return at;
    }

    private @Nullable String lastOfTheFullOnes() throws IOException {
        List<Path> full = files(file).stream().filter(one -> !one.equals(file)).toList();
        if (full.isEmpty()) {
            return null;
        }
        List<String> lines = Files.readAllLines(full.getLast());
        return lines.isEmpty() ? null : lines.getLast();
    }

    private static byte[] tail(FileChannel channel) throws IOException {
        long from = Math.max(0, channel.size() - TAIL_BYTES);
        ByteBuffer bytes = ByteBuffer.allocate((int) (channel.size() - from));
        while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
            // until the end of the file
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    @Override
    public void append(List<String> lines) throws IOException {
        Files.createDirectories(file.getParent());
        if (Files.exists(file) && Files.size(file) >= maxBytes) {
            long sequence = ChainedLine.parse(String.valueOf(last())).sequence();
            Files.move(file, file.resolveSibling("%s.%019d".formatted(file.getFileName(), sequence)));
        }
        byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                OWNER_ONLY)) {
            long before = channel.size();
            try {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            } catch (IOException e) {
                channel.truncate(before);
                throw e;
            }
        }
    }

    /** Returns the files of a trail in the order of their lines: the full ones, then the one that is written. */
    static List<Path> files(Path current) throws IOException {
        Path directory = current.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            return List.of();
        }
        String prefix = current.getFileName() + ".";
        try (var all = Files.list(directory)) {
            return all.filter(one ->
                            one.equals(current) || one.getFileName().toString().startsWith(prefix))
                    .sorted((a, b) -> a.equals(current) ? 1 : b.equals(current) ? -1 : a.compareTo(b))
                    .toList();
        }
    }

    @Override
    public String name() {
        return file.toString();
    }
}
