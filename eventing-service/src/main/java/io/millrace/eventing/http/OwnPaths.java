package io.millrace.eventing.http;

import java.util.regex.Pattern;
import org.springframework.web.server.ServerWebExchange;

/** The paths that Couchbase does not have: timers, dead letters, versions, canaries and the log stream of a function, secrets,
 * templates, topics, and requests for functions. */
public final class OwnPaths {

    private static final Pattern PATHS = Pattern.compile(
            "(?:/api/v1/(?:functions/[^/]+/(?:timers|dead-letters|debug|dry-run|log|versions|canary|diff|openapi|types|appcode/check)|libraries|secrets|templates|topics)|/fn)(?:/.*)?");

    private OwnPaths() {}

    static boolean contains(ServerWebExchange exchange) {
        return contains(exchange.getRequest().getPath().value());
    }

    /** Returns whether a path, or a template of paths, is our own and answers errors as problem details. */
    public static boolean contains(String path) {
        return PATHS.matcher(path).matches();
    }
}
