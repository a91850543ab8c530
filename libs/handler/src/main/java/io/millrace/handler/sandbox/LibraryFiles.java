package io.millrace.handler.sandbox;

import io.millrace.handler.Library;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.graalvm.polyglot.io.FileSystem;

/** The file system that an engine loads modules from: the given libraries and nothing else, in memory, read only. */
final class LibraryFiles implements FileSystem {

    private static final Path ROOT = Path.of("/");

    private final Map<String, Library> libraries;

    LibraryFiles(List<Library> libraries) {
        this.libraries = libraries.stream().collect(Collectors.toMap(Library::id, library -> library));
    }

    @Override
    public Path parsePath(URI uri) {
        throw new UnsupportedOperationException(refused(uri.toString()));
    }

    @Override
    public Path parsePath(String path) {
        return Path.of(path);
    }

    @Override
    public Path toAbsolutePath(Path path) {
        return ROOT.resolve(path);
    }

    @Override
    public Path toRealPath(Path path, LinkOption... options) throws IOException {
        find(path);
        return toAbsolutePath(path);
    }

    @Override
    public void checkAccess(Path path, Set<? extends AccessMode> modes, LinkOption... options) throws IOException {
        find(path);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return new Content(find(path).code().getBytes(StandardCharsets.UTF_8));
    }

    private Library find(Path path) throws IOException {
        String id = ROOT.relativize(toAbsolutePath(path)).toString();
        Library library = libraries.get(id);
        if (library == null) {
            throw new NoSuchFileException(id, null, refused(id));
        }
        return library;
    }

    private static String refused(String what) {
        return what + " is not among the libraries of the function";
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Map.of("isRegularFile", true, "isDirectory", false, "size", (long)
                find(path).code().getBytes(StandardCharsets.UTF_8).length);
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) {
        throw new UnsupportedOperationException("Libraries are read only");
    }

    @Override
    public void delete(Path path) {
        throw new UnsupportedOperationException("Libraries are read only");
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter) {
        throw new UnsupportedOperationException("Libraries cannot be listed");
    }

    /** The bytes of a library. */
    private static final class Content implements SeekableByteChannel {

        private final ByteBuffer bytes;
        private boolean open = true;

        Content(byte[] bytes) {
            this.bytes = ByteBuffer.wrap(bytes);
        }

        @Override
        public int read(ByteBuffer target) {
            if (!bytes.hasRemaining()) {
                return -1;
            }
            int count = Math.min(target.remaining(), bytes.remaining());
            target.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            return count;
        }

        @Override
        public int write(ByteBuffer source) {
            throw new NonWritableChannelException();
        }

        @Override
        public long position() {
            return bytes.position();
        }

        @Override
        public SeekableByteChannel position(long position) {
            bytes.position((int) Math.min(position, bytes.limit()));
            return this;
        }

        @Override
        public long size() {
            return bytes.limit();
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new NonWritableChannelException();
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }
}
