package io.millrace.launcher.suite;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Stands in for a service: reports that it is ready, and its environment at every other path. */
final class StandIn {

    private StandIn() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        System.out.println("starting=" + arguments[0]);
        if (arguments[0].equals(System.getenv("STAND_IN_FAILS"))) {
            System.out.println("the reason is written here");
            System.exit(3);
        }
        int port = Integer.parseInt(System.getenv("SERVER_PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            byte[] body = System.getenv().toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        boolean hangs = arguments[0].equals(System.getenv("STAND_IN_HANGS"));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("stopping=" + System.nanoTime());
            while (hangs) {
                LockSupport.park();
            }
        }));
        new CountDownLatch(1).await();
    }
}
