package io.millrace.testkit.storm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where a storm blows: the gateway, and the addresses on this machine from which clients come. */
final class StormTarget {

    private static final byte LOOPBACK = 127;

    private final InetSocketAddress address;
    private final String authorization;
    private final boolean severalAddresses;

    StormTarget(URI gateway, String authorization) {
        this.address = new InetSocketAddress(gateway.getHost(), gateway.getPort());
        this.authorization = authorization;
        this.severalAddresses = canBind(numbered(1, 1));
    }

    InetSocketAddress address() {
        return address;
    }

    /** Returns the address of a client, or null where this machine has only one: the clients of a storm are not one client. */
    @Nullable
    InetAddress client(int group, int number) {
        return severalAddresses ? numbered(group, number) : null;
    }

    private static InetAddress numbered(int group, int number) {
        try {
            return InetAddress.getByAddress(new byte[] {LOOPBACK, 0, (byte) group, (byte) number});
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static boolean canBind(InetAddress address) {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    byte[] request(String method, String path, String type, byte[] body) {
        byte[] head = (head(method, path)
                        + (type.isEmpty() ? "" : "Content-Type: " + type + "\r\n")
                        + (method.equals("GET") ? "" : "Content-Length: " + body.length + "\r\n")
                        + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] whole = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }

    /** Returns the first lines of a request, without the empty one that ends its header. */
    String head(String method, String path) {
        return "%s %s HTTP/1.1\r\nHost: %s:%d\r\nAuthorization: %s\r\n"
                .formatted(method, path, address.getHostString(), address.getPort(), authorization);
    }
}
