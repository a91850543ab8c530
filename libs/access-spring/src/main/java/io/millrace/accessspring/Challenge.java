package io.millrace.accessspring;

import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/** Asks the client of a request that needs a login for one. */
final class Challenge {

    private Challenge() {}

    /** A page that calls an API shows its own login; only other clients are asked by their browser or tool. */
    static void set(ServerWebExchange exchange) {
        boolean script = "empty".equals(exchange.getRequest().getHeaders().getFirst("Sec-Fetch-Dest"));
        if (!script) {
            boolean bearer = Credentials.of(exchange.getRequest()).orElse(null)
                    instanceof Credentials.Bearer; // RFC 6750, section 3
            exchange.getResponse()
                    .getHeaders()
                    .set(
                            HttpHeaders.WWW_AUTHENTICATE,
                            bearer ? "Bearer realm=\"Millrace\", error=\"invalid_token\"" : "Basic realm=\"Millrace\"");
        }
    }
}
