package io.millrace.eventing.topology;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Where other nodes reach this one. */
final class AdvertisedUrl {

    private AdvertisedUrl() {}

    /**
     * Returns the URL to register. Whoever listens on every address, as in a container, is reached at the one that its host
     * name has: 0.0.0.0 would lead each node to itself.
     *
     * @param given what the configuration says; blank when it says nothing
     * @param bind the address that is listened on
     */
    static String of(String given, String bind, int port) {
        return given.isBlank() ? "http://" + host(bind) + ":" + port : given;
    }

    private static String host(String bind) {
        try {
            InetAddress address = InetAddress.getByName(bind);
            return address.isAnyLocalAddress() ? text(InetAddress.getLocalHost()) : text(bind, address);
        } catch (UnknownHostException e) {
            return bind; // what cannot be resolved here may be elsewhere; a host without a name has to be told its own
        }
    }

    private static String text(InetAddress address) {
        return text(address.getHostAddress(), address);
    }

    private static String text(String host, InetAddress address) {
        return address instanceof Inet6Address && host.contains(":") ? "[" + host + "]" : host;
    }
}
