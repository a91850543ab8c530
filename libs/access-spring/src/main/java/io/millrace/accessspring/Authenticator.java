package io.millrace.accessspring;

import io.millrace.access.IdentityTokens;
import io.millrace.access.SessionTokens;
import io.millrace.access.Subject;
import io.millrace.accessspring.AccessSettings.Mode;
import io.millrace.users.LoginOutcome;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds out who asks. Never blocks. */
public final class Authenticator {

    /**
     * The users who may read the metrics of a service that takes no other logins: Prometheus asks each process itself. A service
     * with this bean does not have its directory as a bean, which would take logins at every route.
     */
    public record MetricsLogins(UserDirectory users) {}

    /** Read by those who sent no login to the gateway, which passed the request on, and by those who did not use the gateway. */
    private static final Refusal NO_LOGINS_HERE = Refusal.unauthorized(
            "You are not logged in. Send Authorization: Basic with"
                    + " user and password, or Bearer with an API key, to the gateway; this service itself takes no logins.");

    /** Between two looks whether an access still holds: a look is a signature or a fast hash, for each open feed. */
    private static final Duration PAUSE = Duration.ofSeconds(3);

    private final boolean open;
    private final boolean trustsEveryone;
    private final @Nullable IdentityTokens tokens;
    private final SessionTokens sessions;
    private final @Nullable UserDirectory users;
    private final @Nullable TokenLogins provider;

    /**
     * @param cluster verifies other services and sessions
     * @param users the users, or null in a service that answers to services only
     * @param provider checks tokens of an identity provider, or null if there is none
     */
    Authenticator(Mode mode, ClusterIdentity cluster, @Nullable UserDirectory users, @Nullable TokenLogins provider) {
        this.tokens = cluster.tokens().orElse(null);
        this.sessions = cluster.sessions();
        this.open = mode == Mode.OPEN;
        this.trustsEveryone = open && tokens == null;
        this.users = users;
        this.provider = provider;
    }

    /** Emits the subject; fails with a {@link RefusalException} if credentials were sent that do not hold. */
    Mono<Subject> subject(Optional<Credentials> credentials, String address) {
        if (credentials.isEmpty()) {
            return Mono.just(withoutCredentials());
        }
        return switch (credentials.get()) {
            case Credentials.Identity(String token) -> identity(token);
            case Credentials.Basic(String user, String password) -> basic(user, password, address);
            case Credentials.Bearer(String token) -> bearer(token, address);
            case Credentials.Session(String token) -> Mono.just(session(token));
            case Credentials.Malformed(String detail) -> refused(Refusal.unauthorized(detail));
        };
    }

    /**
     * Returns who asks if that is known at once, for a door in front of the filters: without a slow hash, and without asking an
     * identity provider. It refuses no one and counts no failed login; a request whose subject it does not find has still to come
     * to the gate.
     */
    public Optional<Subject> known(ServerHttpRequest request) {
        return known(Credentials.of(request), Credentials.address(request));
    }

    private Optional<Subject> known(Optional<Credentials> credentials, String address) {
        if (credentials.isEmpty()) {
            return Optional.of(withoutCredentials());
        }
        UserDirectory directory = users;
        return switch (credentials.get()) {
            case Credentials.Identity(String token) -> tokens == null ? Optional.empty() : tokens.verify(token);
            case Credentials.Session(String token) -> Optional.of(session(token));
            case Credentials.Basic(String user, String password) ->
                directory == null ? Optional.empty() : directory.recognize(user, password, address);
            case Credentials.Bearer(String token) ->
                directory == null ? Optional.empty() : directory.recognize(token, address);
            case Credentials.Malformed ignored -> Optional.empty();
        };
    }

    /**
     * Completes when a request would not be let in again as the subject that it was let in as: for responses that stay open. No
     * failed login is counted. While that cannot be found out, such as from an identity provider that does not answer, the access
     * counts as kept. That of a request that a service of the cluster passes on is that service's to look at: it saw the login.
     */
    public Mono<Void> lost(ServerHttpRequest request, Subject subject) {
        Optional<Credentials> credentials = Credentials.of(request);
        UserDirectory directory = users;
        if (credentials.isEmpty() || directory == null) {
            return Mono.never();
        }
        return Flux.interval(PAUSE)
                .onBackpressureDrop()
                .concatMap(look -> holds(credentials.get(), directory, subject), 1)
                .filter(holds -> !holds)
                .next()
                .then();
    }

    private Mono<Boolean> holds(Credentials credentials, UserDirectory directory, Subject subject) {
        return again(credentials, directory, subject)
                .map(subject::equals)
                .defaultIfEmpty(false)
                .onErrorResume(failure -> Mono.just(!isUnauthorized(failure)));
    }

    private Mono<Subject> again(Credentials credentials, UserDirectory directory, Subject before) {
        return switch (credentials) {
            case Credentials.Identity ignored -> Mono.just(before);
            case Credentials.Session(String token) -> Mono.just(session(token));
            case Credentials.Basic(String user, String password) ->
                Mono.fromFuture(() -> directory.isPassword(user, password))
                        .flatMap(right -> Mono.justOrEmpty(right ? directory.subject(user) : Optional.empty()));
            case Credentials.Bearer(String token) ->
                provider == null || UserDirectory.isApiKey(token)
                        ? Mono.justOrEmpty(directory.owner(token))
                        : provider.subject(token);
            case Credentials.Malformed ignored -> Mono.empty();
        };
    }

    private static boolean isUnauthorized(Throwable failure) {
        return failure instanceof RefusalException refused && refused.refusal().status() == HttpStatus.UNAUTHORIZED;
    }

    private Subject withoutCredentials() {
        return open ? Subject.open() : Subject.anonymous();
    }

    /** A request with an ended session is one without credentials: the page to log in again must be shown. */
    private Subject session(String token) {
        UserDirectory directory = users;
        return directory == null
                ? withoutCredentials()
                : sessions.user(token, name -> directory.find(name).map(User::stamp))
                        .flatMap(directory::subject)
                        .orElseGet(this::withoutCredentials);
    }

    private Mono<Subject> identity(String token) {
        return tokens == null
                ? refused(Refusal.unauthorized(
                        "This service has no cluster secret, so it cannot verify " + IdentityTokens.HEADER + "."))
                : tokens.verify(token)
                        .map(Mono::just)
                        .orElseGet(() -> refused(Refusal.unauthorized(
                                IdentityTokens.HEADER + " is not a valid token of this cluster, or it has expired.")));
    }

    private Mono<Subject> basic(String user, String password, String address) {
        UserDirectory directory = users;
        return directory == null
                ? noUsers()
                : Mono.fromFuture(() -> directory.logIn(user, password, address))
                        .flatMap(Authenticator::outcome);
    }

    private Mono<Subject> bearer(String token, String address) {
        if (users == null) {
            return noUsers();
        }
        if (UserDirectory.isApiKey(token)) {
            return outcome(users.logIn(token, address));
        }
        return provider == null
                ? refused(Refusal.unauthorized("The bearer token is not an API key of this cluster."))
                : provider.subject(token);
    }

    static Mono<Subject> outcome(LoginOutcome outcome) {
        return switch (outcome) {
            case LoginOutcome.Accepted(Subject subject) -> Mono.just(subject);
            case LoginOutcome.Refused() -> refused(Refusal.unauthorized("The user, the password or the key is wrong."));
            case LoginOutcome.Locked(var retryAfter) -> refused(Refusal.locked(retryAfter));
            case LoginOutcome.Busy() -> refused(Refusal.busy());
        };
    }

    private Mono<Subject> noUsers() {
        return open ? Mono.just(Subject.open()) : refused(NO_LOGINS_HERE);
    }

    /** Returns whether services cannot tell each other apart from others, which is possible only while everything is open. */
    boolean trustsEveryone() {
        return trustsEveryone;
    }

    /** Returns what an unknown subject must do. */
    Refusal unknown() {
        return users == null
                ? NO_LOGINS_HERE
                : Refusal.unauthorized(
                        "You are not logged in. Send Authorization: Basic with user and password, or Bearer"
                                + (provider == null
                                        ? " with an API key."
                                        : " with an API key or a token of the identity provider."));
    }

    private static <T> Mono<T> refused(Refusal refusal) {
        return Mono.error(new RefusalException(refusal));
    }
}
