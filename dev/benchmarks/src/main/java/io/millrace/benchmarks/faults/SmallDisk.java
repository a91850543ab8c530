package io.millrace.benchmarks.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file system in memory that can be filled up. Only a user who may mount can have one. */
final class SmallDisk implements AutoCloseable {

    private static final int MIB = 256;
    private static final int PIECE_BYTES = 1 << 16;

    private final Path directory;
    private final Path filler;
    private final Thread unmounter = new Thread(this::unmount, "disk-unmounter");

    private SmallDisk(Path directory) {
        this.directory = directory;
        this.filler = directory.resolve("filler");
        Runtime.getRuntime().addShutdownHook(unmounter);
    }

    /** Mounts one at a directory, which is created. */
    static Optional<SmallDisk> mount(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        return succeeds("mount", "-t", "tmpfs", "-o", "size=" + MIB + "m", "millrace", directory.toString())
                ? Optional.of(new SmallDisk(directory))
                : Optional.empty();
    }

    /** Takes all space that is left. */
    void fill() throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (directory.toFile().getUsableSpace() > 0) {
                out.write(piece);
            }
        } catch (IOException e) {
            if (directory.toFile().getUsableSpace() > PIECE_BYTES) {
                throw e;
            }
        }
    }

    /** Gives back what {@link #fill} took. */
    void free() throws IOException {
        Files.deleteIfExists(filler);
    }

    @Override
    public void close() {
        unmount();
        try {
            Runtime.getRuntime().removeShutdownHook(unmounter);
        } catch (IllegalStateException e) {
            // the JVM is shutting down: the hook runs or has run
        }
    }

    /** Processes that still use it keep it until they end. */
    private void unmount() {
        try {
            succeeds("umount", "--lazy", directory.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
