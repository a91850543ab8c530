package io.millrace.accessspring;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.accessspring.Doors.Found;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.ReactiveAuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.authorization.AuthorizationContext;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Compares what a route needs with what the subject has. */
public final class Gate implements ReactiveAuthorizationManager<AuthorizationContext> {

    private static final Refusal ACCESS_CHANGED = Refusal.unauthorized(
            "The login or the roles that this feed began with hold no longer. Log in and open the feed again.");

    private final Doors doors;
    private final Authenticator authenticator;
    private final Authenticator ofMetrics;
    private final Refusals refusals;
    private final GateAudit audit;

    /** @param ofMetrics finds out who reads metrics; a service that takes no logins knows users for these */
    Gate(Doors doors, Authenticator authenticator, Authenticator ofMetrics, Refusals refusals, GateAudit audit) {
        this.doors = doors;
        this.authenticator = authenticator;
        this.ofMetrics = ofMetrics;
        this.refusals = refusals;
        this.audit = audit;
    }

    /** Emits who asks; fails if credentials were sent that do not hold. */
    Mono<Authentication> authentication(ServerWebExchange exchange) {
        return authenticator(exchange)
                .subject(Credentials.of(exchange.getRequest()), Credentials.address(exchange.getRequest()))
                .map(subject -> {
                    Subjects.set(exchange, subject);
                    return new SubjectAuthentication(subject);
                });
    }

    @Override
    public Mono<AuthorizationResult> authorize(Mono<Authentication> authentication, AuthorizationContext context) {
        ServerWebExchange exchange = context.getExchange();
        Subject subject = Subjects.of(exchange);
        Optional<Found> found = find(exchange);
        AuthorizationResult result = new AuthorizationDecision(passes(subject, found));
        return result.isGranted() && found.isPresent()
                ? audit.passed(exchange, subject, found.get().door()).thenReturn(result)
                : Mono.just(result);
    }

    /**
     * Lets a request pass whose subject is known at once and has what its door asks for, if that is nothing to record. Returns
     * false for any other, which is not refused by that: it has to come to the filters. {@link Subjects} knows the subject of one that
     * has passed.
     */
    public boolean admits(ServerWebExchange exchange) {
        Optional<Found> found = find(exchange);
        if (found.isEmpty()) {
            return false;
        }
        Optional<Subject> subject = authenticator(found).known(exchange.getRequest());
        if (subject.isEmpty()
                || !passes(subject.get(), found)
                || audit.records(subject.get(), found.get().door())) {
            return false;
        }
        Subjects.set(exchange, subject.get());
        return true;
    }

    /** A route without a declaration is open to administrators only, who get the error of the router for a wrong path. */
    private boolean passes(Subject subject, Optional<Found> found) {
        if (subject.equals(Subject.open()) && authenticator.trustsEveryone()) {
            return true;
        }
        return found.map(one -> one.door().need().allows(subject, one.variables()))
                .orElseGet(() -> subject.domain() == Subject.Domain.SERVICE
                        || subject.roles().contains(Role.ADMIN));
    }

    /** Where one serves all doors, which is so in most services, the door is not looked for. */
    private Authenticator authenticator(ServerWebExchange exchange) {
        return ofMetrics == authenticator ? authenticator : authenticator(find(exchange));
    }

    private Authenticator authenticator(Optional<Found> found) {
        return found.filter(one -> one.door().isOfMetrics()).isPresent() ? ofMetrics : authenticator;
    }

    private Optional<Found> find(ServerWebExchange exchange) {
        return doors.find(
                        exchange.getRequest().getMethod(),
                        exchange.getRequest().getPath().pathWithinApplication())
                .map(found -> isOfFunction(found.door()) ? new Found(found.door(), query(exchange)) : found);
    }

    private static boolean isOfFunction(Door door) {
        return door.need() instanceof Need.Granted(var permission, var place) && place == Need.Place.FUNCTION;
    }

    /** A parameter that is empty is as good as missing, as for the handlers. */
    private static Map<String, String> query(ServerWebExchange exchange) {
        Map<String, String> query = new HashMap<>();
        for (String name : List.of("bucket", "scope")) {
            String value = exchange.getRequest().getQueryParams().getFirst(name);
            if (value != null && !value.isEmpty()) {
                query.put(name, value);
            }
        }
        return query;
    }

    /**
     * Returns a response that ends, if it is a feed, when its reader would not be let in again as who it was: logged out, deleted,
     * with another password or other roles. A feed ends as it may at any time: its reader opens it again and is told why it cannot.
     * One that has not begun is told at once.
     */
    Mono<Void> watched(ServerWebExchange exchange, Mono<Void> response) {
        if (!doors.isFeed(exchange.getRequest().getPath().pathWithinApplication())) {
            return response;
        }
        Mono<Boolean> ended = response.thenReturn(false);
        Mono<Boolean> lost =
                authenticator.lost(exchange.getRequest(), Subjects.of(exchange)).thenReturn(true);
        return Mono.firstWithSignal(ended, lost)
                .filter(untold -> untold && !exchange.getResponse().isCommitted())
                .flatMap(untold -> write(exchange, ACCESS_CHANGED));
    }

    /** Refuses a request that does not pass. */
    Mono<Void> refuse(ServerWebExchange exchange) {
        Subject subject = Subjects.of(exchange);
        if (!subject.known()) {
            return write(exchange, authenticator(find(exchange)).unknown());
        }
        return write(
                exchange,
                find(exchange)
                        .map(found -> Refusal.forbidden(lacking(subject, found)))
                        .orElseGet(() -> new Refusal(
                                HttpStatus.NOT_FOUND, "not_found", "No endpoint has this path and method.", null)));
    }

    private static String lacking(Subject subject, Found found) {
        return found.door().need() instanceof Need.Granted(var permission, var place)
                ? "The roles of " + subject.name() + " do not grant " + permission.label() + " on "
                        + place.resource(found.variables()) + ". Ask an administrator for a role that does."
                : "The roles of " + subject.name() + " do not allow this. Ask an administrator for a role that does.";
    }

    Mono<Void> write(ServerWebExchange exchange, Refusal refusal) {
        if (refusal.status() == HttpStatus.UNAUTHORIZED) {
            Challenge.set(exchange);
        }
        return audit.refused(exchange, Subjects.of(exchange), refusal).then(refusals.write(exchange, refusal));
    }
}
