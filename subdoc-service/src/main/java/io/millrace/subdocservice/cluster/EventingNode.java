package io.millrace.subdocservice.cluster;

import java.net.URI;
import java.util.Optional;

/**
 * Where SDKs manage functions.
 *
 * @param host a name or an address, an IPv6 address in brackets
 * @param here whether it is this machine, whatever name clients have for it
 */
record EventingNode(String host, int port, boolean tls, boolean here) {

    /** Returns the node at a URL that it has registered; nothing if clients could not use the URL. */
    static Optional<EventingNode> at(String url) {
        try {
            URI uri = URI.create(url);
            String host = uri.getHost();
            boolean here =
                    host != null && (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]"));
            return host == null || uri.getPort() < 0
                    ? Optional.empty()
                    : Optional.of(new EventingNode(host, uri.getPort(), "https".equals(uri.getScheme()), here));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the port as SDKs read it. */
    String service() {
        return "\"%s\":%d".formatted(tls ? "eventingSSL" : "eventingAdminPort", port);
    }
}
