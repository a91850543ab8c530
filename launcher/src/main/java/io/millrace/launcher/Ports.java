package io.millrace.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** Finds free ports on 127.0.0.1. */
public final class Ports {

    /*
     * Below the range that operating systems use for outgoing connections: a client that reconnects to a stopped
     * server's port in that range may get the same port as its local port, connect to itself and block the server.
     */
    private static final int FIRST = 15_000;
    private static final int LAST = 31_999;
    private static final int ATTEMPTS = 1000;

    private static final Random RANDOM = new Random();
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /**
     * Returns a port that no process listens on and that this method has not returned before.
     *
     * @throws LauncherException if it finds none
     */
    public static synchronized int free() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = RANDOM.nextInt(FIRST, LAST + 1);
            if (!GIVEN.contains(port) && isFree(InetAddress.getLoopbackAddress(), port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new LauncherException("There is no free port on 127.0.0.1 between " + FIRST + " and " + LAST);
    }

    /** Returns whether a server can listen on the port now. */
    public static boolean isFree(InetAddress address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
