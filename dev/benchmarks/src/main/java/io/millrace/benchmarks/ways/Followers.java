package io.millrace.benchmarks.ways;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Clients of server-sent events, all on one thread, that look for no more in what they get than they must: the end of the first
 * documents, and when each change was made. They come from several addresses of this machine, as the gateway limits the feeds of
 * one.
 */
public final class Followers implements AutoCloseable {

    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final int FEEDS_PER_ADDRESS = 400;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final byte[] CAUGHT_UP = "event: caught-up".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MADE_AT = "\"madeAt\":".getBytes(StandardCharsets.US_ASCII);
    private static final int MILLIS_DIGITS = 13;

    private final Selector selector = Selector.open();
    private final List<Follower> followers = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private int caughtUp;
    private long[] millis = {};
    private int changes;

    /** @param authorization the value of the header */
    public record Feed(String path, String authorization) {}

    private Followers() throws IOException {}

    public static Followers open(URI server, List<Feed> feeds) throws IOException {
        Followers all = new Followers();
        try {
            for (int i = 0; i < feeds.size(); i++) {
                all.add(server, feeds.get(i), i / FEEDS_PER_ADDRESS);
            }
            return all;
        } catch (IOException e) {
            all.close();
            throw e;
        }
    }

    private void add(URI server, Feed feed, int address) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (1 + address)}), 0));
        channel.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        // in HTTP/1.0 nothing comes in chunks, whose heads would stand between what is looked for
        String request = "GET %s HTTP/1.0\r\nHost: %s\r\nAuthorization: %s\r\nAccept: text/event-stream\r\n\r\n"
                .formatted(feed.path(), server.getAuthority(), feed.authorization());
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        channel.configureBlocking(false);
        followers.add(new Follower(channel, channel.register(selector, SelectionKey.OP_READ)));
    }

    /** Waits until each has got the documents that there are. */
    public void awaitCaughtUp() throws IOException {
        while (caughtUp < followers.size()) {
            read();
        }
    }

    /** Reads while changes are made on another thread, until so many have come, of all clients together; returns how long each took. */
    public long[] awaitChanges(int count, Runnable writing) throws IOException {
        millis = new long[count];
        changes = 0;
        CompletableFuture<Void> written = CompletableFuture.runAsync(writing, Thread::startVirtualThread);
        while (changes < count) {
            read();
        }
        written.join();
        return millis;
    }

    private void read() throws IOException {
        if (selector.select(SILENCE.toMillis()) == 0) {
            throw new IOException(
                    "No client has got anything for %d s; %,d changes have come, %,d of %,d have caught up"
                            .formatted(SILENCE.toSeconds(), changes, caughtUp, followers.size()));
        }
        for (SelectionKey key : selector.selectedKeys()) {
            ((Follower) key.attachment()).read();
        }
        selector.selectedKeys().clear();
    }

    private void made(long at) {
        if (changes < millis.length) {
            millis[changes] = System.currentTimeMillis() - at;
        }
        changes++;
    }

    @Override
    public void close() throws IOException {
        for (Follower follower : followers) {
            follower.channel.close();
        }
        selector.close();
    }

    /** One client. What it looks for may come in two pieces, so it keeps how far it has found it. */
    private final class Follower {

        private final SocketChannel channel;
        private int upTo;
        private int made;
        private long number;
        private int digits;

        Follower(SocketChannel channel, SelectionKey key) {
            this.channel = channel;
            key.attach(this);
        }

        void read() throws IOException {
            buffer.clear();
            if (channel.read(buffer) < 0) {
                throw new EOFException("The server ended a feed");
            }
            buffer.flip();
            while (buffer.hasRemaining()) {
                take(buffer.get());
            }
        }

        private void take(byte next) {
            if (digits > 0) {
                number = 10 * number + next - '0';
                if (--digits == 0) {
                    made(number);
                }
                return;
            }
            upTo = next == CAUGHT_UP[upTo] ? upTo + 1 : next == CAUGHT_UP[0] ? 1 : 0;
            if (upTo == CAUGHT_UP.length) {
                upTo = 0;
                caughtUp++;
            }
            made = next == MADE_AT[made] ? made + 1 : next == MADE_AT[0] ? 1 : 0;
            if (made == MADE_AT.length) {
                made = 0;
                number = 0;
                digits = MILLIS_DIGITS;
            }
        }
    }
}
