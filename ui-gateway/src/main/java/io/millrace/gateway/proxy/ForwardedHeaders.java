package io.millrace.gateway.proxy;

import io.millrace.access.IdentityTokens;
import io.millrace.httpdoor.PassedHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** Copies the headers that pass the gateway: all but hop-by-hop headers (RFC 9110, section 7.6.1). */
final class ForwardedHeaders {

    private static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final String CONTENT_LENGTH = HttpHeaderNames.CONTENT_LENGTH.toString();

    /** Not copied from requests: also what the gateway sets itself, and what belongs to a WebSocket of the client. */
    private static final Set<String> NOT_OF_REQUESTS = Stream.concat(
                    PassedHeaders.NOT_OF_REQUESTS.stream(),
                    Stream.of(
                            "sec-websocket-key",
                            "sec-websocket-version",
                            "sec-websocket-protocol",
                            "sec-websocket-extensions",
                            "x-forwarded-for",
                            IdentityTokens.HEADER.toLowerCase(Locale.ROOT)))
            .collect(Collectors.toUnmodifiableSet());

    private ForwardedHeaders() {}

    /** Copies the headers of a client's request and adds the X-Forwarded headers. */
    static void ofRequest(HttpHeaders from, ServerHttpRequest request, HttpHeaders to) {
        copy(from, to, NOT_OF_REQUESTS);
        List<String> way = from.getAll(FORWARDED_FOR);
        InetSocketAddress client = request.getRemoteAddress();
        if (client != null) {
            String address = client.getAddress() == null
                    ? client.getHostString()
                    : client.getAddress().getHostAddress();
            to.set(FORWARDED_FOR, way.isEmpty() ? address : String.join(", ", way) + ", " + address);
        }
        setIfAbsent(to, "X-Forwarded-Proto", request.getURI().getScheme());
        setIfAbsent(to, "X-Forwarded-Host", from.get(HttpHeaderNames.HOST));
    }

    /** Copies the headers of a service's response. */
    static void ofAnswer(HttpHeaders from, HttpHeaders to) {
        copy(from, to, PassedHeaders.HOP_BY_HOP);
    }

    /** A header that is set already, such as the name of this program, is replaced by the one that passes. */
    private static void copy(HttpHeaders from, HttpHeaders to, Set<String> left) {
        Set<String> replaced = new HashSet<>();
        Set<String> named = named(from);
        for (var all = from.iteratorCharSequence(); all.hasNext(); ) {
            Map.Entry<CharSequence, CharSequence> header = all.next();
            String name = header.getKey().toString().toLowerCase(Locale.ROOT);
            if (left.contains(name) || named.contains(name)) {
                continue;
            }
            if (replaced.add(name)) {
                to.set(header.getKey(), header.getValue());
            } else {
                to.add(header.getKey(), header.getValue());
            }
        }
    }

    /**
     * Returns the headers that belong to one connection because its header Connection names them. The length of the body is of the
     * request, whatever a client says: a service would take a body without one for the next request.
     */
    private static Set<String> named(HttpHeaders from) {
        Set<String> named = Set.of();
        for (String value : from.getAll(HttpHeaderNames.CONNECTION)) {
            if (named.isEmpty()) {
                named = new HashSet<>();
            }
            for (String name : value.split(",")) {
                named.add(name.strip().toLowerCase(Locale.ROOT));
            }
            named.remove(CONTENT_LENGTH);
        }
        return named;
    }

    private static void setIfAbsent(HttpHeaders headers, String name, @Nullable String value) {
        if (value != null && !headers.contains(name)) {
            headers.set(name, value);
        }
    }
}
