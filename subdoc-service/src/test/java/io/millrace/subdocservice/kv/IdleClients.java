package io.millrace.subdocservice.kv;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A process that opens connections, reports when they are open, and keeps them idle until its input ends. */
final class IdleClients {

    static final String OPEN = "open";

    private IdleClients() {}

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress server =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        int count = Integer.parseInt(arguments[1]);
        List<SocketChannel> connections = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            connections.add(SocketChannel.open(server));
        }
        System.out.println(OPEN + " " + connections.size());
        while (System.in.read() >= 0) {
            // all connections stay idle
        }
        for (SocketChannel connection : connections) {
            connection.close();
        }
    }
}
