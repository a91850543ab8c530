package io.millrace.eventing.topology;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The URL at which other nodes reach this one. */
final class AdvertisedUrl {

    private AdvertisedUrl() {}

    /**
     * Returns the URL to register. A node that listens on every address, as in a container, registers the address of
     * its host name: with 0.0.0.0 each node would reach itself.
     *
     * @param given the configured URL; blank for none
     * @param bind the address that the service listens on
     */
    static String of(String given, String bind, int port) {
        return given.isBlank() ? "http://" + host(bind) + ":" + port : given;
    }

    private static String host(String bind) {
        try {
            InetAddress address = InetAddress.getByName(bind);
            return address.isAnyLocalAddress() ? text(InetAddress.getLocalHost()) : text(bind, address);
        } catch (UnknownHostException e) {
            return bind; // the name may be resolvable elsewhere; a host without a name needs a configured URL
        }
    }

    private static String text(InetAddress address) {
        return text(address.getHostAddress(), address);
    }

    private static String text(String host, InetAddress address) {
        return address instanceof Inet6Address && host.contains(":") ? "[" + host + "]" : host;
    }
}
