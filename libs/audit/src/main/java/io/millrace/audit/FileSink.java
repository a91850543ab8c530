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
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that only its owner may read. A full one is renamed, with the number of its last line, and the chain goes on in a new one. What a crash left of a line is cut off: it was never acknowledged.
 */
public final class FileSink implements AuditSink {

    /** As a sequence: all lines that there are. */
    static final long ALL = Long.MAX_VALUE;

    /** How long a file becomes before the next one is begun. */
    static final long MAX_BYTES = 64L << 20;

    /** More than the longest line has. */
    private static final int TAIL_BYTES = 128 << 10;

    private static final int IDENTITY_BYTES = 8;

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final long maxBytes;

    /** The sequence of the last line that stays in the file; lines of an append that fails are taken back. */
    private volatile long acknowledged = ALL;

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

    Path file() {
        return file;
    }

    /** Returns up to which sequence lines stay in the file: {@link #ALL} until this process appends some. */
    long acknowledged() {
        return acknowledged;
    }

    /**
     * Returns the name of the trail among those of all services and machines: that of the file, and a random number in a file
     * next to it, which is created when it is first missed. Lines of a trail whose file was removed remain under its old name.
     */
    public String trail() throws IOException {
        return trail(file);
    }

    private static Path identity(Path trail) {
        return trail.resolveSibling(trail.getFileName().toString().replaceFirst("\\.jsonl$", ".id"));
    }

    /** Returns the name of the trail of a file, or null if none was chosen. */
    static @Nullable String knownTrail(Path trail) throws IOException {
        Path identity = identity(trail);
        return Files.exists(identity)
                ? name(trail) + "-" + Files.readString(identity).strip()
                : null;
    }

    private static String trail(Path trail) throws IOException {
        String known = knownTrail(trail);
        if (known != null) {
            return known;
        }
        byte[] random = new byte[IDENTITY_BYTES];
        new SecureRandom().nextBytes(random);
        Files.createDirectories(trail.getParent());
        String chosen = HexFormat.of().formatHex(random);
        Files.writeString(Files.createFile(identity(trail), OWNER_ONLY), chosen);
        return name(trail) + "-" + chosen;
    }

    /** The part of the file name that says which service and port the trail is of. */
    private static String name(Path trail) {
        return trail.getFileName().toString().replaceFirst("^audit-", "").replaceFirst("\\.jsonl$", "");
    }

    @Override
    public void append(List<String> lines) throws IOException {
        acknowledged = ChainedLine.sequenceOf(lines.getFirst()) - 1;
        write(lines);
        acknowledged = ChainedLine.sequenceOf(lines.getLast());
    }

    private void write(List<String> lines) throws IOException {
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
