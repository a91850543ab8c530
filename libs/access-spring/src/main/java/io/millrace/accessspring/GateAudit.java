package io.millrace.accessspring;

import io.millrace.access.Permission;
import io.millrace.access.Subject;
import io.millrace.audit.Audit;
import io.millrace.audit.AuditEvent;
import io.millrace.audit.AuditEvent.Actor;
import io.millrace.audit.AuditEvent.Kind;
import io.millrace.audit.AuditKinds;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Records administrative acts before they are carried out, and every refusal. */
public final class GateAudit {

    /** Permissions whose use is an administrative act. */
    private static final Set<Permission> ACTS = EnumSet.of(
            Permission.CLUSTER_MANAGE,
            Permission.SECURITY_MANAGE,
            Permission.CONFIG_WRITE,
            Permission.BUCKET_MANAGE,
            Permission.COLLECTIONS_MANAGE,
            Permission.FUNCTIONS_MANAGE);

    /** Doors whose acts have a name of their own: those that Couchbase audits as well, logins and keys. */
    private static final Map<String, Kind> KNOWN = Map.ofEntries(
            Map.entry("POST /api/v1/functions/{name}", AuditKinds.FUNCTION_SAVE),
            Map.entry("DELETE /api/v1/functions/{name}", AuditKinds.FUNCTION_DELETE),
            Map.entry("POST /api/v1/functions/{name}/settings", AuditKinds.FUNCTION_SETTINGS),
            Map.entry("PUT /api/v1/buckets/{bucket}", AuditKinds.BUCKET_CREATE),
            Map.entry("DELETE /api/v1/buckets/{bucket}", AuditKinds.BUCKET_DELETE),
            Map.entry("POST /pools/default/buckets", AuditKinds.BUCKET_CREATE),
            Map.entry("POST /pools/default/buckets/{bucket}", AuditKinds.BUCKET_MODIFY),
            Map.entry("DELETE /pools/default/buckets/{bucket}", AuditKinds.BUCKET_DELETE),
            Map.entry("PUT /settings/rbac/users/{domain}/{user}", AuditKinds.USER_SET),
            Map.entry("PATCH /settings/rbac/users/{domain}/{user}", AuditKinds.USER_SET),
            Map.entry("DELETE /settings/rbac/users/{domain}/{user}", AuditKinds.USER_DELETE),
            Map.entry("POST /controller/changePassword", Kind.of("password.change")),
            Map.entry("POST /api/v1/keys", Kind.of("key.create")),
            Map.entry("DELETE /api/v1/keys/{key}", Kind.of("key.delete")));

    private static final int MAX_REQUEST_ID_CHARS = 100;

    private final Audit audit;

    GateAudit(Audit audit) {
        this.audit = audit;
    }

    /** Completes when the request may go on; fails if it is an act that cannot be recorded. */
    Mono<Void> passed(ServerWebExchange exchange, Subject subject, Door door) {
        Kind kind = kind(subject, door);
        if (kind == null) {
            return Mono.empty();
        }
        AuditEvent event = AuditEvent.allowed(
                kind, actor(exchange, subject), resource(exchange), requestId(exchange.getRequest()));
        return Mono.fromFuture(() -> audit.record(event))
                .onErrorMap(failure -> new RefusalException(new Refusal(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "audit_unavailable",
                        String.valueOf(failure.getMessage()),
                        Duration.ofSeconds(1))));
    }

    /** Returns whether {@link #passed} records a request. */
    boolean records(Subject subject, Door door) {
        return kind(subject, door) != null;
    }

    private static @Nullable Kind kind(Subject subject, Door door) {
        return subject.domain() == Subject.Domain.SERVICE ? null : kind(door);
    }

    private static @Nullable Kind kind(Door door) {
        Kind known = KNOWN.get(door.toString());
        return known == null
                        && !HttpMethod.GET.equals(door.method()) // reads are not acts, whatever right they need
                        && door.need() instanceof Need.Granted(var permission, var place)
                        && ACTS.contains(permission)
                ? Kind.of(permission.label())
                : known;
    }

    /** Completes when a refusal of the gate is recorded; a refusal that cannot be recorded remains one. */
    Mono<Void> refused(ServerWebExchange exchange, Subject subject, Refusal refusal) {
        RefusalMarks.passedOn(exchange); // it is recorded here
        boolean login = refusal.status() == HttpStatus.UNAUTHORIZED
                && (exchange.getRequest().getHeaders().getFirst("Authorization") != null
                        || exchange.getAttribute(Sessions.CLAIMED) != null);
        return record(
                exchange,
                subject,
                login ? AuditKinds.LOGIN_FAILURE : Kind.of("access." + refusal.code()),
                resource(exchange),
                refusal.detail());
    }

    /** Completes when a refusal of a handler is recorded; a refusal that cannot be recorded remains one. */
    Mono<Void> refused(ServerWebExchange exchange, Subject subject, RefusalMarks.Mark mark) {
        return record(
                exchange,
                subject,
                Kind.of("access.forbidden"),
                resource(exchange) + (mark.part().isEmpty() ? "" : " " + mark.part()),
                mark.reason().isEmpty()
                        ? "The response had the status "
                                + exchange.getResponse().getStatusCode() + "."
                        : mark.reason());
    }

    private Mono<Void> record(ServerWebExchange exchange, Subject subject, Kind kind, String resource, String reason) {
        AuditEvent event =
                AuditEvent.refused(kind, actor(exchange, subject), resource, reason, requestId(exchange.getRequest()));
        return Mono.fromFuture(() -> audit.record(event)).onErrorComplete();
    }

    /** The name that a failed login claimed stands in the trail, marked by its method. */
    private static Actor actor(ServerWebExchange exchange, Subject subject) {
        Credentials credentials = Credentials.of(exchange.getRequest()).orElse(null);
        String claimed = exchange.getAttribute(Sessions.CLAIMED);
        String method = claimed != null
                ? "session"
                : credentials == null
                        ? "none"
                        : credentials.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        String name = subject.known()
                ? subject.name()
                : claimed != null
                        ? claimed
                        : credentials instanceof Credentials.Basic basic ? basic.user() : subject.name();
        return new Actor(
                name,
                subject.domain().name().toLowerCase(Locale.ROOT),
                method,
                credentials instanceof Credentials.Identity && subject.known()
                        ? client(exchange.getRequest())
                        : address(exchange.getRequest()));
    }

    /** The client of the service that passes a request on, which is trusted because it identified itself. */
    private static String client(ServerHttpRequest request) {
        String forwarded = request.getHeaders().getFirst("X-Forwarded-For");
        return forwarded == null
                ? address(request)
                : forwarded.substring(forwarded.lastIndexOf(',') + 1).strip();
    }

    private static String address(ServerHttpRequest request) {
        InetSocketAddress remote = request.getRemoteAddress();
        return remote == null || remote.getAddress() == null
                ? ""
                : remote.getAddress().getHostAddress() + ":" + remote.getPort();
    }

    /** Method and path; the query may hold values that do not belong into a trail. */
    private static String resource(ServerWebExchange exchange) {
        return exchange.getRequest().getMethod() + " "
                + exchange.getRequest().getPath().value();
    }

    /** Returns the id by which the trail names a request: the one that the client has given, if it is short. */
    public static String requestId(ServerHttpRequest request) {
        String given = request.getHeaders().getFirst("X-Request-Id");
        return given != null && given.length() <= MAX_REQUEST_ID_CHARS ? given : request.getId();
    }
}
