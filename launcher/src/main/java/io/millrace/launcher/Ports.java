package io.millrace.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** Ports on 127.0.0.1. */
final class Ports {

    /*
     * Below every system's range for outgoing connections: a client that reconnects to a stopped server's port in that
     * range may be given the very same port for its own end, connect to itself and keep the server from coming back.
     */
    private static final int FIRST = 15_000;
    private static final int LAST = 31_999;
    private static final int ATTEMPTS = 1000;

    private static final Random RANDOM = new Random();
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /** A port that nobody listens on and that this JVM has not been given before. */
    static synchronized int free() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = RANDOM.nextInt(FIRST, LAST + 1);
            if (!GIVEN.contains(port) && isFree(InetAddress.getLoopbackAddress(), port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new LauncherException("No free port on 127.0.0.1 between " + FIRST + " and " + LAST);
    }

    static boolean isFree(InetAddress address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
