package io.millrace.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on 127.0.0.1 that fails on demand: it drops a request before the server receives it, or the response after the
 * server has processed it, or all connections.
 *
 * <p>It searches requests for a marker in the pieces in which they arrive, so the marker must be within one piece.
 */
public final class FlakyProxy implements AutoCloseable {

    private static final int PIECE_BYTES = 64 * 1024;

    private final ServerSocket listener;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Cut> planned = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile InetSocketAddress target;
    private volatile CompletableFuture<@Nullable Void> flowing = CompletableFuture.completedFuture(null);
    private final AtomicReference<@Nullable Delay> delay = new AtomicReference<>();
    private volatile boolean down;

    private enum Moment {
        BEFORE_FORWARDING,
        AFTER_FORWARDING
    }

    private record Cut(String marker, Moment moment) {}

    /**
     * The requests of one connection that do not go on yet.
     *
     * @param begun completes when there is one, with what completes when the connection ends
     */
    private record Delay(
            String marker, CompletableFuture<CompletableFuture<Void>> begun, CompletableFuture<Void> over) {}

    private record Pair(Socket client, Socket server) {
        void close() {
            closeQuietly(client);
            closeQuietly(server);
        }
    }

    private FlakyProxy(InetSocketAddress target, ServerSocket listener) {
        this.target = target;
        this.listener = listener;
    }

    /** Listens on a free port and forwards to the target. */
    public static FlakyProxy to(String targetHost, int targetPort) {
        try {
            FlakyProxy proxy = new FlakyProxy(
                    new InetSocketAddress(targetHost, targetPort),
                    new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().name("flaky-proxy").start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the address of the proxy as {@code redis://127.0.0.1:port}. */
    public String redisUrl() {
        return "redis://127.0.0.1:" + port();
    }

    /** Forwards new connections to another target and closes the existing ones. */
    public void retarget(String targetHost, int targetPort) {
        target = new InetSocketAddress(targetHost, targetPort);
        cutAll();
    }

    /** Closes the connection of the next request with the marker, once; the server does not receive the request. */
    public void cutBeforeForwarding(String marker) {
        planned.set(new Cut(marker, Moment.BEFORE_FORWARDING));
    }

    /** Forwards the next request with the marker and closes the connection when the response arrives, once. */
    public void cutAfterForwarding(String marker) {
        planned.set(new Cut(marker, Moment.AFTER_FORWARDING));
    }

    /** Returns how many planned cuts have happened. */
    public int cuts() {
        return cuts.get();
    }

    /** Closes every connection. */
    public void cutAll() {
        pairs.forEach(Pair::close);
        pairs.clear();
    }

    /**
     * Keeps the next request with the marker, and what comes after it on its connection, until {@link #forwardDelayed}, also
     * when the client has gone by then. Completes when there is one.
     */
    public CompletableFuture<?> delay(String marker) {
        Delay next = new Delay(marker, new CompletableFuture<>(), new CompletableFuture<>());
        delay.set(next);
        return next.begun();
    }

    /** Forwards what is delayed, if the server still takes it. Completes when that connection has ended. */
    public CompletableFuture<Void> forwardDelayed() {
        Delay begun = delay.getAndSet(null);
        if (begun == null) {
            throw new IllegalStateException("Nothing is delayed");
        }
        begun.over().complete(null);
        return begun.begun().thenCompose(ended -> ended);
    }

    /** Silently stops forwarding, on all connections in both directions, until {@link #heal()}. */
    public void partition() {
        flowing = new CompletableFuture<>();
    }

    /** Ends a partition: closes the connections, with the data in transit, and forwards new ones. */
    public void heal() {
        cutAll();
        flowing.complete(null);
    }

    /** Closes every connection, and new ones immediately, until {@link #up()}. */
    public void down() {
        down = true;
        heal();
    }

    public void up() {
        down = false;
    }

    @Override
    public void close() {
        down();
        try {
            listener.close();
        } catch (IOException e) {
            // the listener is closed, which is the aim
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (down) {
                    closeQuietly(client);
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                // the listener was closed, or one connection failed
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        try {
            server.connect(target, 5000);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException e) {
            closeQuietly(client);
            closeQuietly(server);
            throw e;
        }
        Pair pair = new Pair(client, server);
        pairs.add(pair);
        if (down) {
            pair.close();
        }
        // set by the request side, read by the response side: drop the next response
        AtomicReference<@Nullable Cut> answerToLose = new AtomicReference<>();
        Thread.ofVirtual().start(() -> pump(pair, () -> forwardRequests(pair, answerToLose)));
        Thread.ofVirtual().start(() -> pump(pair, () -> forwardAnswers(pair, answerToLose)));
    }

    private interface Pump {
        void run() throws IOException;
    }

    private void pump(Pair pair, Pump body) {
        try {
            body.run();
        } catch (IOException e) {
            // one side was closed: close the other
        } finally {
            pair.close();
            pairs.remove(pair);
        }
    }

    private void forwardRequests(Pair pair, AtomicReference<@Nullable Cut> answerToLose) throws IOException {
        InputStream in = pair.client().getInputStream();
        OutputStream out = pair.server().getOutputStream();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        try {
            byte[] piece = new byte[PIECE_BYTES];
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                Cut cut = cutDueFor(piece, n);
                if (cut != null) {
                    if (cut.moment() == Moment.BEFORE_FORWARDING) {
                        cuts.incrementAndGet();
                        return;
                    }
                    answerToLose.set(cut);
                }
                awaitDelay(piece, n, ended);
                flowing.join();
                out.write(piece, 0, n);
                out.flush();
            }
        } finally {
            ended.complete(null);
        }
    }

    private void awaitDelay(byte[] piece, int length, CompletableFuture<Void> connectionEnded) {
        Delay planned = delay.get();
        if (planned != null
                && contains(piece, length, planned.marker())
                && planned.begun().complete(connectionEnded)) {
            planned.over().join();
        }
    }

    private static boolean contains(byte[] piece, int length, String marker) {
        return new String(piece, 0, length, StandardCharsets.ISO_8859_1).contains(marker);
    }

    private @Nullable Cut cutDueFor(byte[] piece, int length) {
        Cut cut = planned.get();
        boolean due = cut != null && contains(piece, length, cut.marker()) && planned.compareAndSet(cut, null);
        return due ? cut : null;
    }

    private void forwardAnswers(Pair pair, AtomicReference<@Nullable Cut> answerToLose) throws IOException {
        InputStream in = pair.server().getInputStream();
        OutputStream out = pair.client().getOutputStream();
        byte[] piece = new byte[PIECE_BYTES];
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
            if (answerToLose.get() != null) {
                cuts.incrementAndGet();
                return;
            }
            flowing.join();
            out.write(piece, 0, n);
            out.flush();
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed anyway
        }
    }
}
