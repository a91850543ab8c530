package io.millrace.distribution;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/** Writes a directory as a tar.gz that depends on nothing but its files: sorted, without owners, with one time. */
final class Archive {

    private static final int EXECUTABLE = 0755;
    private static final int READABLE = 0644;

    /** Twice as fast as the default for two hundredths more bytes. */
    private static final int COMPRESSION = 4;

    private Archive() {}

    /**
     * Writes the archive.
     *
     * @param directory becomes the only directory at the top of the archive
     * @param time of every entry
     */
    static void write(Path directory, Path file, Instant time) throws IOException {
        GzipParameters parameters = new GzipParameters();
        parameters.setCompressionLevel(COMPRESSION);
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(directory)) {
            paths = walk.sorted().toList();
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
                OutputStream zipped = new GzipCompressorOutputStream(out, parameters);
                TarArchiveOutputStream tar = new TarArchiveOutputStream(zipped)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            String top = String.valueOf(directory.getFileName());
            for (Path path : paths) {
                String below = directory.relativize(path).toString();
                add(path, below.isEmpty() ? top : top + "/" + below, time, tar);
            }
        }
    }

    private static void add(Path path, String name, Instant time, TarArchiveOutputStream tar) throws IOException {
        boolean directory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        TarArchiveEntry entry = Files.isSymbolicLink(path)
                ? new TarArchiveEntry(name, TarConstants.LF_SYMLINK)
                : new TarArchiveEntry(directory ? name + "/" : name);
        entry.setModTime(time.toEpochMilli());
        entry.setMode(directory || Files.isExecutable(path) ? EXECUTABLE : READABLE);
        if (Files.isSymbolicLink(path)) {
            entry.setLinkName(Files.readSymbolicLink(path).toString());
        } else if (!directory) {
            entry.setSize(Files.size(path));
        }
        tar.putArchiveEntry(entry);
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.copy(path, tar);
        }
        tar.closeArchiveEntry();
    }
}
