package io.millrace.accessspring;

import io.millrace.access.IdentityTokens;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** What a request brings to say who it is. */
sealed interface Credentials {

    /** Name and password. */
    record Basic(String user, String password) implements Credentials {}

    /** An API key or a token of an identity provider. */
    record Bearer(String token) implements Credentials {}

    /** The cookie of a session. */
    record Session(String token) implements Credentials {}

    /** A token of a service of this cluster. */
    record Identity(String token) implements Credentials {}

    /** A header that cannot be read. */
    record Malformed(String detail) implements Credentials {}

    /** Returns the credentials of a request; the token of a service comes first, the cookie of a session last. */
    static Optional<Credentials> of(ServerHttpRequest request) {
        return of(request.getHeaders()).or(() -> session(request));
    }

    private static Optional<Credentials> session(ServerHttpRequest request) {
        if (!request.getHeaders().containsHeader(HttpHeaders.COOKIE)) {
            return Optional.empty();
        }
        HttpCookie own = request.getCookies().getFirst(Sessions.COOKIE);
        HttpCookie cookie = own == null ? request.getCookies().getFirst(CouchSessions.COOKIE) : own;
        return Optional.ofNullable(cookie).map(found -> new Session(found.getValue()));
    }

    private static Optional<Credentials> of(HttpHeaders headers) {
        String identity = headers.getFirst(IdentityTokens.HEADER);
        if (identity != null) {
            return Optional.of(new Identity(identity));
        }
        String header = headers.getFirst(HttpHeaders.AUTHORIZATION);
        if (header == null) {
            return Optional.empty();
        }
        int blank = header.indexOf(' ');
        String scheme = (blank < 0 ? header : header.substring(0, blank)).toLowerCase(Locale.ROOT);
        String value = blank < 0 ? "" : header.substring(blank + 1).strip();
        return Optional.of(
                switch (scheme) {
                    case "basic" -> basic(value);
                    case "bearer" -> new Bearer(value);
                    default -> new Malformed("Authorization must be Basic or Bearer.");
                });
    }

    private static Credentials basic(String value) {
        try {
            String[] parts = new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8).split(":", 2);
            return parts.length == 2
                    ? new Basic(parts[0], parts[1])
                    : new Malformed("Authorization: Basic must hold user:password in base64.");
        } catch (IllegalArgumentException e) {
            return new Malformed("Authorization: Basic must hold user:password in base64.");
        }
    }

    /** Returns the address from which a request comes, for the limits of failed logins. */
    static String address(ServerHttpRequest request) {
        InetSocketAddress remote = request.getRemoteAddress();
        return remote == null || remote.getAddress() == null
                ? ""
                : remote.getAddress().getHostAddress();
    }
}
