package io.millrace.benchmarks.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Kept connections to one server, each of which has one request at a time on its way. One thread serves them all and parses no
 * more than it must: what a client for general use takes of the cores would be missing to the server that is measured.
 */
final class Load implements AutoCloseable {

    private static final int MAX_REQUEST_BYTES = 64 * 1024;
    private static final int MAX_RESPONSE_BYTES = 64 * 1024;
    /** How often responses and requests that are due are looked for. */
    private static final long LOOK_NANOS = 100_000;

    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final Selector selector = Selector.open();
    private final List<Connection> connections = new ArrayList<>();

    Load(InetSocketAddress server, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(server);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            connections.add(new Connection(channel, channel.register(selector, 0)));
        }
    }

    /**
     * What one run showed.
     *
     * @param micros how long each response took
     */
    record Answers(double seconds, long[] micros) {

        double perSecond() {
            return micros.length / seconds;
        }
    }

    /**
     * Sends requests at a steady rate and waits for the last responses. A response counts from the time at which its request was
     * due, also if its connection was not free then.
     */
    Answers runPaced(List<Wire> wires, Duration duration, double perSecond) throws IOException {
        Samples samples = new Samples();
        double gapNanos = 1e9 / perSecond;
        long began = System.nanoTime();
        long requests = Math.round(duration.toNanos() / gapNanos);
        Deque<Connection> free = new ArrayDeque<>(connections);
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).take(wires, i, connections.size());
        }
        long sent = 0;
        while (samples.count < requests) {
            long now = System.nanoTime();
            while (sent < requests && !free.isEmpty() && began + Math.round(sent * gapNanos) <= now) {
                free.removeFirst().sendDueAt(began + Math.round(sent++ * gapNanos));
            }
            selector.selectNow();
            for (SelectionKey key : selector.selectedKeys()) {
                Connection connection = (Connection) key.attachment();
                if (connection.proceed(key)) {
                    samples.add(connection.micros());
                    key.interestOps(0);
                    free.addLast(connection);
                }
            }
            selector.selectedKeys().clear();
            // a selector waits for a millisecond at least, and a thread that spins takes a core from the server
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return new Answers((System.nanoTime() - began) / 1e9, samples.all());
    }

    /**
     * Repeats requests and waits for the last responses. Connection i takes wire i first, then in steps of the number of
     * connections, and begins again behind the last one.
     */
    Answers run(List<Wire> wires, Duration duration) throws IOException {
        Samples samples = new Samples();
        long began = System.nanoTime();
        long end = began + duration.toNanos();
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).begin(wires, i, connections.size());
        }
        int open = connections.size();
        while (open > 0) {
            if (selector.select(SILENCE.toMillis()) == 0) {
                throw new IOException("The server has not responded for " + SILENCE.toSeconds() + " s");
            }
            for (SelectionKey key : selector.selectedKeys()) {
                Connection connection = (Connection) key.attachment();
                if (connection.proceed(key)) {
                    samples.add(connection.micros());
                    if (System.nanoTime() < end) {
                        connection.send();
                    } else {
                        key.interestOps(0);
                        open--;
                    }
                }
            }
            selector.selectedKeys().clear();
        }
        return new Answers((System.nanoTime() - began) / 1e9, samples.all());
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            connection.channel.close();
        }
        selector.close();
    }

    private static final class Connection {

        private final SocketChannel channel;
        private final SelectionKey key;
        private final ByteBuffer received = ByteBuffer.allocate(MAX_RESPONSE_BYTES);

        /** Direct, so that requests are not copied once more. */
        private final ByteBuffer sending = ByteBuffer.allocateDirect(MAX_REQUEST_BYTES);

        private List<Wire> wires = List.of();
        private int position;
        private int step;
        private long sentAt;

        Connection(SocketChannel channel, SelectionKey key) {
            this.channel = channel;
            this.key = key;
            key.attach(this);
        }

        void begin(List<Wire> next, int first, int by) throws IOException {
            take(next, first, by);
            send();
        }

        void take(List<Wire> next, int first, int by) {
            wires = next;
            position = first % wires.size();
            step = by;
        }

        /** Sends the next request. */
        void send() throws IOException {
            sendDueAt(System.nanoTime());
        }

        void sendDueAt(long dueNanos) throws IOException {
            sentAt = dueNanos;
            received.clear();
            sending.clear().put(wires.get(position).request()).flip();
            channel.write(sending);
            key.interestOps(sending.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }

        /** Goes on with what is ready, and returns whether the response is complete. */
        boolean proceed(SelectionKey ready) throws IOException {
            if (ready.isWritable()) {
                channel.write(sending);
                key.interestOps(sending.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
                return false;
            }
            if (channel.read(received) < 0) {
                throw new EOFException("The server closed a kept connection");
            }
            if (wires.get(position).end(received.array(), received.position()) == Wire.INCOMPLETE) {
                return false;
            }
            position = (position + step) % wires.size();
            return true;
        }

        long micros() {
            return (System.nanoTime() - sentAt) / 1000;
        }
    }

    /** Numbers in the order in which they were added. */
    private static final class Samples {

        private long[] values = new long[1 << 16];
        private int count;

        void add(long value) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = value;
        }

        long[] all() {
            return Arrays.copyOf(values, count);
        }
    }
}
