package io.millrace.browsertests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The gateway at another port of the same host, whose connections a test cuts as a bad network does. */
final class CutConnections implements AutoCloseable {

    private final URI target;
    private final ServerSocket server;
    private final List<Socket> open = new ArrayList<>(); // guarded by this

    CutConnections(String origin) throws IOException {
        target = URI.create(origin);
        server = new ServerSocket(0, 50, InetAddress.getByName(target.getHost()));
        Thread.startVirtualThread(this::accept);
    }

    String origin() {
        return "http://" + target.getHost() + ":" + server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket gateway = new Socket(target.getHost(), target.getPort());
                synchronized (this) {
                    open.add(client);
                    open.add(gateway);
                }
                Thread.startVirtualThread(() -> copy(client, gateway));
                Thread.startVirtualThread(() -> copy(gateway, client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // cut, or ended by one of both
        }
    }

    /** Cuts every connection; new ones are accepted. */
    synchronized void cut() {
        try {
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.clear();
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
