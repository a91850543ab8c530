package io.millrace.gateway.proxy;

import io.millrace.access.IdentityTokens;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** Copies the headers that pass the gateway: all but hop-by-hop headers (RFC 9110, section 7.6.1). */
final class ForwardedHeaders {

    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /** What the gateway has judged for the service, to which its own origin would look like a foreign one. */
    private static final Set<String> OF_THE_BROWSER =
            Set.of("origin", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-fetch-user");

    private ForwardedHeaders() {}

    /** Copies the headers of a client's request and adds the X-Forwarded headers. */
    static void ofRequest(ServerHttpRequest request, HttpHeaders to) {
        HttpHeaders from = request.getHeaders();
        Set<String> others = new HashSet<>(OF_THE_BROWSER);
        others.addAll(Set.of("host", "expect", "x-forwarded-for", IdentityTokens.HEADER.toLowerCase(Locale.ROOT)));
        copy(from, to, others);
        List<String> way = from.getOrEmpty("X-Forwarded-For");
        InetSocketAddress client = request.getRemoteAddress();
        if (client != null) {
            String address = client.getAddress() == null
                    ? client.getHostString()
                    : client.getAddress().getHostAddress();
            to.set("X-Forwarded-For", way.isEmpty() ? address : String.join(", ", way) + ", " + address);
        }
        setIfAbsent(to, "X-Forwarded-Proto", request.getURI().getScheme());
        setIfAbsent(to, "X-Forwarded-Host", from.getFirst(HttpHeaders.HOST));
    }

    /** Copies the headers of a service's response. */
    static void ofAnswer(HttpHeaders from, HttpHeaders to) {
        copy(from, to, Set.of());
    }

    private static void copy(HttpHeaders from, HttpHeaders to, Set<String> others) {
        Set<String> left = new HashSet<>(HOP_BY_HOP);
        left.addAll(others);
        for (String named : from.getValuesAsList(HttpHeaders.CONNECTION)) {
            left.add(named.toLowerCase(Locale.ROOT));
        }
        from.forEach((name, values) -> {
            if (!left.contains(name.toLowerCase(Locale.ROOT))) {
                to.put(name, List.copyOf(values));
            }
        });
    }

    private static void setIfAbsent(HttpHeaders headers, String name, @Nullable String value) {
        if (value != null && headers.getFirst(name) == null) {
            headers.set(name, value);
        }
    }
}
