package io.millrace.httpdoor;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The headers that are left out where a service passes on a request or a response, in lower case. */
public final class PassedHeaders {

    /** They belong to one connection (RFC 9110, section 7.6.1), as do those that the header {@code Connection} names. */
    public static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /**
     * Left out of requests: also what is of the connection to the next service, and what has been judged before the request is passed
     * on. The next service would judge it again, and take an origin for a foreign one. {@code Sec-Fetch-Dest} is passed on: a service
     * that asks for a login has to know whether a script reads its answer, or the browser would open a window of its own for it.
     */
    public static final Set<String> NOT_OF_REQUESTS = Stream.concat(
                    HOP_BY_HOP.stream(),
                    Stream.of("expect", "host", "origin", "sec-fetch-mode", "sec-fetch-site", "sec-fetch-user"))
            .collect(Collectors.toUnmodifiableSet());

    private PassedHeaders() {}
}
