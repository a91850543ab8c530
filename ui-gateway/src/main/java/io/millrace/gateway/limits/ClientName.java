package io.millrace.gateway.limits;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * Tells clients apart that share the limits of the gateway: by the address of the connection. Headers such as
 * X-Forwarded-For do not count, because a client could use another name with each request. An IPv6 client owns a whole
 * network of 64 bits.
 */
public final class ClientName {

    private static final int IPV6_NETWORK_BYTES = 8;

    private ClientName() {}

    /** Returns the name of the client that has sent a request. */
    public static String of(ServerHttpRequest request) {
        InetSocketAddress remote = request.getRemoteAddress();
        InetAddress address = remote == null ? null : remote.getAddress();
        if (address == null) {
            return "unknown";
        }
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), IPV6_NETWORK_BYTES))
                : address.getHostAddress();
    }
}
