package io.millrace.launcher.suite;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands in for a service: reports that it is ready, and its environment and JVM options at every path. With arguments of the form
 * {@code <service>=<port>} it stands in for several services in one process.
 */
final class StandIn {

    private StandIn() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        System.out.println("starting=" + arguments[0]);
        if (arguments[0].equals(System.getenv("STAND_IN_FAILS"))) {
            System.out.println("the reason is written here");
            System.exit(3);
        }
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            serve(Integer.parseInt(equals < 0 ? System.getenv("SERVER_PORT") : argument.substring(equals + 1)));
        }
        boolean hangs = arguments[0].equals(System.getenv("STAND_IN_HANGS"));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("stopping=" + System.nanoTime());
            while (hangs) {
                LockSupport.park();
            }
        }));
        if (Boolean.getBoolean("millrace.ends-with-launcher")) {
            System.in.transferTo(OutputStream.nullOutputStream());
            System.exit(1);
        }
        new CountDownLatch(1).await();
    }

    private static void serve(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            String described = System.getenv() + "\n"
                    + ManagementFactory.getRuntimeMXBean().getInputArguments();
            byte[] body = described.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
