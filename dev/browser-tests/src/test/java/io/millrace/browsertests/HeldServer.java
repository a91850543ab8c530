package io.millrace.browsertests;

import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that answers when it is told to: what asks it stays where it is until then. */
final class HeldServer implements AutoCloseable {

    private static final int NO_CONTENT = 204;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answering = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    HeldServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            asked.countDown();
            try {
                answering.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(NO_CONTENT, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    void awaitRequest() {
        await().atMost(Store.PATIENCE).until(() -> asked.getCount() == 0);
    }

    void answer() {
        answering.countDown();
    }

    @Override
    public void close() {
        answer();
        server.stop(0);
        threads.close();
    }
}
