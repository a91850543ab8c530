package io.millrace.webguard;

import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses what pages of other sites make a browser send. In this order: a {@code Host} that is not ours (421), a foreign
 * {@code Origin} or a cross-site {@code Sec-Fetch-Site} (403), and a body that a page may send without asking first (415).
 * Programs that are not browsers send none of these and are not affected.
 */
public final class WebGuard implements WebFilter {

    /** The token of a service of the cluster, see {@code IdentityTokens}. */
    private static final String IDENTITY = "X-Millrace-Identity";

    private static final String POLICY = "Content-Security-Policy";

    private static final String USUAL_POLICY =
            "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self';"
                    + " frame-ancestors 'none'";

    /** The logo of Swagger UI contains a style. */
    private static final String SWAGGER_POLICY = USUAL_POLICY + "; style-src 'self' 'unsafe-inline'";

    /** Keep a browser from running, framing or embedding a response where it does not belong. */
    private static final Map<String, String> HEADERS = Map.of(
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    private final OwnHosts hosts;
    private final CorsDoor cors;

    WebGuard(OwnHosts hosts, CorsDoor cors) {
        this.hosts = hosts;
        this.cors = cors;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> protect(exchange)));
        Problem refused = refused(request);
        if (refused != null) {
            return Mono.error(ProblemException.of(refused));
        }
        boolean answered = isAdmitted(request) && cors.answers(exchange);
        return answered ? exchange.getResponse().setComplete() : chain.filter(exchange);
    }

    /**
     * Returns whether this guard has nothing to say about a request: it is not refused and does not come from a page, so its
     * response needs no more than {@link #protect(ServerHttpRequest, HttpHeaders)}. For a door in front of the filters; what does not
     * pass it must come here as any other request.
     */
    public boolean passes(ServerHttpRequest request) {
        return !request.getHeaders().containsHeader(HttpHeaders.ORIGIN) && refused(request) == null;
    }

    private static void protect(ServerWebExchange exchange) {
        protect(exchange.getRequest(), exchange.getResponse().getHeaders());
    }

    /** Adds the headers that the response does not have; an attachment has a stricter policy of its own. */
    public static void protect(ServerHttpRequest request, HttpHeaders headers) {
        HEADERS.forEach((name, value) -> setIfAbsent(headers, name, value));
        boolean swagger = Faces.isSwagger(request.getPath().value());
        setIfAbsent(headers, POLICY, swagger ? SWAGGER_POLICY : USUAL_POLICY);
    }

    private static void setIfAbsent(HttpHeaders headers, String name, String value) {
        if (!headers.containsHeader(name)) {
            headers.set(name, value);
        }
    }

    private @Nullable Problem refused(ServerHttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        List<String> host = headers.getOrEmpty(HttpHeaders.HOST);
        if (host.size() > 1 || (host.size() == 1 && !hosts.contains(host.getFirst(), request.getLocalAddress()))) {
            return misdirected(String.join(", ", host));
        }
        if (isForeign(request) || isCrossSite(request)) {
            return crossSite(request);
        }
        return hasUnaskedBody(request) ? mediaType() : null;
    }

    private static Problem misdirected(String host) {
        return new Problem(
                "Misdirected Request",
                421,
                "unknown_host",
                "The request is for the host '%s', which is not an address of this service.".formatted(host),
                "Use an address of the service, or name the host in MILLRACE_HOSTS.",
                null,
                Map.of());
    }

    private static Problem crossSite(ServerHttpRequest request) {
        String origin = request.getHeaders().getOrigin();
        return Problem.of(
                        HttpStatus.FORBIDDEN,
                        "cross_site",
                        "A page of another site%s has sent this request; only pages of this service may."
                                .formatted(origin == null ? "" : " (" + origin + ")"))
                .withAction(
                        "For a page that uses the CouchDB API or calls functions, name its origin in MILLRACE_CORS_ORIGINS."
                                + " A proxy in front must pass the Host header on.");
    }

    private static Problem mediaType() {
        return Problem.of(
                        HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                        "unsupported_media_type",
                        "The body is sent as a form, as text or without a Content-Type, which any page can make a"
                                + " browser send; expected application/json.")
                .withAction(
                        "Set the Content-Type, with curl by --json instead of -d. A form is accepted together with an"
                                + " Authorization header.");
    }

    /** A request with an {@code Origin} that is neither ours nor admitted. */
    private boolean isForeign(ServerHttpRequest request) {
        String text = request.getHeaders().getOrigin();
        if (text == null || isAdmitted(request)) {
            return false;
        }
        Origin origin = Origin.parse(text);
        String host = request.getHeaders().getFirst(HttpHeaders.HOST);
        return origin == null || host == null || !origin.isOf(host);
    }

    private boolean isAdmitted(ServerHttpRequest request) {
        String text = request.getHeaders().getOrigin();
        Origin origin = text == null ? null : Origin.parse(text);
        return origin != null && cors.admits(request, origin);
    }

    /** A request that a page of another site has caused, except that it leads to one of ours with a link. */
    private boolean isCrossSite(ServerHttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        String site = headers.getFirst("Sec-Fetch-Site");
        if (site == null || site.equals("same-origin") || site.equals("none") || isAdmitted(request)) {
            return false;
        }
        boolean link = (request.getMethod().equals(HttpMethod.GET)
                        || request.getMethod().equals(HttpMethod.HEAD))
                && "navigate".equals(headers.getFirst("Sec-Fetch-Mode"))
                && "document".equals(headers.getFirst("Sec-Fetch-Dest"));
        return !link || Faces.changesByGet(request.getPath());
    }

    /**
     * A body of a type that a page can send to any site without a preflight. Old browsers say neither where such a request
     * comes from, nor can a page add an {@code Authorization} header to it, or the one by which the gateway passes on who asks.
     */
    private static boolean hasUnaskedBody(ServerHttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        if (!request.getMethod().equals(HttpMethod.POST)
                || (headers.getContentLength() <= 0 && !headers.containsHeader(HttpHeaders.TRANSFER_ENCODING))) {
            return false;
        }
        String type = headers.getFirst(HttpHeaders.CONTENT_TYPE);
        String path = request.getPath().value();
        String bare = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return switch (bare) {
            case "text/plain", "multipart/form-data" -> !Faces.isFunction(path) || !isAsked(headers);
            case "", "application/x-www-form-urlencoded" -> !isAsked(headers) && !Faces.isLogin(path);
            default -> false;
        };
    }

    /** Returns whether the request has a header that a page cannot add without asking first. */
    private static boolean isAsked(HttpHeaders headers) {
        return headers.containsHeader(HttpHeaders.AUTHORIZATION) || headers.containsHeader(IDENTITY);
    }
}
