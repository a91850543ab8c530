package io.millrace.subdocservice.cluster;

import java.net.URI;
import java.util.Optional;

/**
 * Where SDKs manage functions: the gateway, which checks their logins. The eventing service answers to services only.
 *
 * @param host a name or an address, an IPv6 address in brackets
 * @param here whether it is this machine, whatever name clients have for it
 */
record FunctionsAddress(String host, int port, boolean tls, boolean here) {

    /**
     * Returns the address in the URL of a gateway; nothing for a blank one.
     *
     * @throws IllegalArgumentException if it is not a URL with a host and a port
     */
    static Optional<FunctionsAddress> of(String gateway) {
        if (gateway.isBlank()) {
            return Optional.empty();
        }
        URI url = URI.create(gateway.strip());
        String host = url.getHost();
        if (host == null || url.getPort() < 0) {
            throw new IllegalArgumentException(
                    "MILLRACE_GATEWAY_URL is %s. Set it to a URL with a host and a port, such as http://gateway:8080."
                            .formatted(gateway));
        }
        boolean here = host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
        return Optional.of(new FunctionsAddress(host, url.getPort(), "https".equals(url.getScheme()), here));
    }

    /** Returns the port as SDKs read it. */
    String service() {
        return "\"%s\":%d".formatted(tls ? "eventingSSL" : "eventingAdminPort", port);
    }
}
