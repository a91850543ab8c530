package io.millrace.eventing.applog;

import io.millrace.eventing.applog.FunctionLogs.LogPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of one function's log: {@code name.log} is being written, {@code name.log.1} is the one before, and so on.
 * Not thread-safe.
 */
final class LogFile implements AutoCloseable {

    private final Path current;
    private LogPolicy policy;
    private @Nullable FileChannel open;
    private long bytes;

    LogFile(Path current, LogPolicy policy) {
        this.current = current;
        this.policy = policy;
    }

    Path path() {
        return current;
    }

    LogPolicy policy() {
        return policy;
    }

    void setPolicy(LogPolicy newPolicy) throws IOException {
        if (newPolicy.maxFiles() < policy.maxFiles()) {
            for (int number = newPolicy.maxFiles(); number < policy.maxFiles(); number++) {
                Files.deleteIfExists(rotated(number));
            }
        }
        policy = newPolicy;
    }

    /** Writes lines, each of them whole into one file; a line longer than the limit of a file gets its own file. */
    void write(List<byte[]> lines) throws IOException {
        ByteArrayOutputStream pending = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            channel();
            if (bytes > 0 && bytes + line.length > policy.maxFileBytes()) {
                flush(pending);
                if (!policy.rotate()) {
                    return;
                }
                rotate();
                channel();
            }
            pending.write(line);
            bytes += line.length;
        }
        flush(pending);
    }

    private FileChannel channel() throws IOException {
        if (open == null) {
            Files.createDirectories(current.toAbsolutePath().getParent());
            open = FileChannel.open(
                    current, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            bytes = open.size();
        }
        return open;
    }

    private void flush(ByteArrayOutputStream pending) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(pending.toByteArray());
        pending.reset();
        while (buffer.hasRemaining()) {
            channel().write(buffer);
        }
    }

    private void rotate() throws IOException {
        close();
        Files.deleteIfExists(rotated(policy.maxFiles() - 1));
        for (int number = policy.maxFiles() - 2; number >= 0; number--) {
            if (Files.exists(rotated(number))) {
                Files.move(rotated(number), rotated(number + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Returns the file of a number; 0 is the one being written. */
    private Path rotated(int number) {
        return number == 0 ? current : current.resolveSibling(current.getFileName() + "." + number);
    }

    /** Returns the newest whole lines that fit, newest first; if not even one fits, the end of the newest. */
    static String newestFirst(Path current, int maxFiles, int maxBytes) throws IOException {
        byte[] tail = new byte[0];
        boolean cut = false;
        for (int number = 0; number < maxFiles && tail.length < maxBytes; number++) {
            Path file = number == 0 ? current : current.resolveSibling(current.getFileName() + "." + number);
            if (!Files.exists(file)) {
                break;
            }
            byte[] part = tail(file, maxBytes - tail.length);
            cut = part.length < Files.size(file);
            byte[] longer = new byte[part.length + tail.length];
            System.arraycopy(part, 0, longer, 0, part.length);
            System.arraycopy(tail, 0, longer, part.length, tail.length);
            tail = longer;
        }
        List<String> lines =
                new ArrayList<>(new String(tail, StandardCharsets.UTF_8).lines().toList());
        if (cut && lines.size() > 1) {
            lines.removeFirst();
        }
        Collections.reverse(lines);
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    private static byte[] tail(Path file, int maxBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(size, maxBytes));
            long position = size - buffer.capacity();
            while (buffer.hasRemaining()) {
                int read = channel.read(buffer, position + buffer.position());
                if (read < 0) {
                    break;
                }
            }
            return buffer.array();
        }
    }

    void delete() throws IOException {
        close();
        for (int number = 0; number <= policy.maxFiles(); number++) {
            Files.deleteIfExists(rotated(number));
        }
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
