package io.millrace.workerprotocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One end of a worker link: frames over a Unix-domain socket, each behind its length in four bytes.
 *
 * <p>{@link #send} may be called by any thread, {@link #receive} by one thread at a time; both block. An end that stops
 * receiving will in the end block the other's sending, so each end receives on a thread that does nothing else that can
 * block on the link. Interrupting a thread inside {@code send} or {@code receive} closes the link, as it does with
 * every {@link java.nio.channels.InterruptibleChannel}.
 */
public final class Link implements AutoCloseable {

    /** For the first bytes of a frame, or many small ones: a process may have a thousand links. */
    private static final int BUFFER_BYTES = 8 * 1024;

    /** The most bytes that one call writes: the JVM keeps a buffer of that size for each thread that does. */
    private static final int PART_BYTES = 128 * 1024;

    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();
    private final FrameWriter writer = new FrameWriter();
    private final ReentrantLock sending = new ReentrantLock();

    Link(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects to a {@link LinkServer}. */
    public static Link connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return new Link(channel);
    }

    /**
     * Sends a frame and returns when the operating system has taken it. Frames of one thread arrive in their order.
     *
     * @throws LinkException with {@code TOO_LARGE}, in which case nothing was sent and the link still works, or
     *     {@code CLOSED}
     * @throws IOException when the peer is gone
     */
    public void send(Frame frame) throws IOException {
        sending.lock();
        try {
            writer.clear();
            FrameCodec.encode(frame, writer);
            ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).putInt(0, writer.size());
            ByteBuffer bytes = ByteBuffer.wrap(writer.array());
            ByteBuffer[] out = {length, bytes};
            while (length.hasRemaining() || bytes.position() < writer.size()) {
                bytes.limit(Math.min(writer.size(), bytes.position() + PART_BYTES));
                channel.write(out);
            }
        } catch (ClosedChannelException e) {
            throw LinkException.closed(e);
        } finally {
            sending.unlock();
        }
    }

    /**
     * Waits for the next frame. Empty means that the peer closed the link after a whole frame.
     *
     * @throws LinkException for bytes that are not a valid frame, and with {@code CLOSED} when this end was closed
     */
    public Optional<Frame> receive() throws IOException {
        try {
            if (!in.hasRemaining() && !fill()) {
                return Optional.empty();
            }
            while (in.remaining() < Integer.BYTES) {
                if (!fill()) {
                    throw LinkException.truncated(Integer.BYTES - in.remaining());
                }
            }
            int length = in.getInt();
            if (length <= 0) {
                throw LinkException.malformed("its length is " + length);
            }
            if (length > WorkerProtocolLimits.MAX_FRAME_BYTES) {
                throw LinkException.tooLarge(length);
            }
            return Optional.of(FrameCodec.decode(body(length)));
        } catch (ClosedChannelException e) {
            throw LinkException.closed(e);
        }
    }

    private byte[] body(int length) throws IOException {
        byte[] bytes = new byte[length];
        int read = Math.min(in.remaining(), length);
        in.get(bytes, 0, read);
        while (length - read > BUFFER_BYTES) {
            int more = read(ByteBuffer.wrap(bytes, read, Math.min(length - read, PART_BYTES)));
            if (more < 0) {
                throw LinkException.truncated(length - read);
            }
            read += more;
        }
        while (read < length) {
            if (!in.hasRemaining() && !fill()) {
                throw LinkException.truncated(length - read);
            }
            int part = Math.min(in.remaining(), length - read);
            in.get(bytes, read, part);
            read += part;
        }
        return bytes;
    }

    /** Waits for more bytes behind those that are there; false when the peer sends no more. */
    private boolean fill() throws IOException {
        in.compact();
        try {
            return read(in) > 0;
        } finally {
            in.flip();
        }
    }

    private int read(ByteBuffer into) throws IOException {
        try {
            return channel.read(into);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            // a peer that ends with unread bytes resets the connection instead of closing it
            throw LinkException.reset(e);
        }
    }

    /** Closes the link at once and wakes a thread inside {@link #receive} or {@link #send}. Never fails. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
