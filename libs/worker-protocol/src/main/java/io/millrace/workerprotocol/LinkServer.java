package io.millrace.workerprotocol;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The service's side before a worker has connected: a socket in a directory of its own that only this user may enter.
 * One server serves one worker; a successor gets a new one, so that a predecessor that connects late is refused.
 */
public final class LinkServer implements AutoCloseable {

    private static final String SOCKET = "w";
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;
    private final ServerSocketChannel channel;
    private final Selector selector;

    private LinkServer(Path directory, ServerSocketChannel channel, Selector selector) {
        this.directory = directory;
        this.channel = channel;
        this.selector = selector;
    }

    /**
     * Listens on a new socket in the directory for temporary files, or in {@code /tmp} when that one's name is too
     * long.
     */
    public static LinkServer listen() throws IOException {
        Path directory = createDirectory();
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(directory.resolve(SOCKET)), 1);
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_ACCEPT);
            return new LinkServer(directory, channel, selector);
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(directory.resolve(SOCKET));
            Files.deleteIfExists(directory);
            throw e;
        }
    }

    private static Path createDirectory() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        int bytes = temporary.toString().getBytes(StandardCharsets.UTF_8).length;
        int ours = "/millrace-/".length() + Long.toUnsignedString(-1).length() + SOCKET.length();
        return Files.createTempDirectory(
                bytes + ours <= WorkerProtocolLimits.MAX_SOCKET_PATH_BYTES ? temporary : Path.of("/tmp"),
                "millrace-",
                PRIVATE);
    }

    /** Returns the path that a worker is started with. */
    public Path socket() {
        return directory.resolve(SOCKET);
    }

    /**
     * Waits for the worker.
     *
     * @throws LinkException with {@code TIMEOUT} when none connects in time and {@code CLOSED} when this server is
     *     closed
     *     meanwhile
     */
    public Link accept(Duration atMost) throws IOException {
        long end = System.nanoTime() + atMost.toNanos();
        try {
            while (true) {
                SocketChannel worker = channel.accept();
                if (worker != null) {
                    return new Link(worker);
                }
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw LinkException.timeout(atMost.toMillis());
                }
                selector.select(left);
                selector.selectedKeys().clear();
            }
        } catch (ClosedChannelException | ClosedSelectorException e) {
            throw LinkException.closed(e);
        }
    }

    /** Stops listening and removes the socket; a link that was accepted lives on. */
    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
        Files.deleteIfExists(socket());
        Files.deleteIfExists(directory);
    }
}
