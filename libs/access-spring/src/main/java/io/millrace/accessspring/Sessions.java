package io.millrace.accessspring;

import io.millrace.access.SessionTokens;
import io.millrace.access.Subject;
import io.millrace.httpdoor.LimitedBody;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import io.millrace.users.UsersLimits;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.ResponseCookie;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;

/** The sessions of browsers: a cookie that scripts cannot read and that requests of other sites do not carry. */
public final class Sessions {

    static final String COOKIE = "millrace-session";

    /** The attribute of a request that logs in: the name that it claims. */
    static final String CLAIMED = Sessions.class.getName() + ".claimed";

    private final SessionTokens tokens;
    private final UserDirectory users;

    Sessions(SessionTokens tokens, UserDirectory users) {
        this.tokens = tokens;
        this.users = users;
    }

    /**
     * Returns a request that logs in with a body that is short and counts among what the service holds: anyone may send one. A longer
     * one fails with a {@link ServerWebInputException} when it is read.
     */
    public static ServerRequest limited(ServerRequest login) {
        return LimitedBody.limited(
                login,
                UsersLimits.MAX_LOGIN_BYTES,
                () -> new ServerWebInputException("A login has at most " + UsersLimits.MAX_LOGIN_BYTES + " bytes."));
    }

    /** Emits who has logged in and adds the cookie to the response; fails with the refusal that the gate writes. */
    public Mono<Subject> begin(ServerWebExchange exchange, String user, String password) {
        return begin(exchange, user, password, COOKIE);
    }

    Mono<Subject> begin(ServerWebExchange exchange, String user, String password, String cookie) {
        exchange.getAttributes().put(CLAIMED, user);
        return Mono.defer(() -> {
            // before the check: if the password changes meanwhile, the session must end with it
            Optional<byte[]> stamp = users.find(user).map(User::stamp);
            return Mono.fromFuture(users.logIn(user, password, Credentials.address(exchange.getRequest())))
                    .flatMap(Authenticator::outcome)
                    .doOnNext(subject -> stamp.ifPresent(
                            known -> addCookie(exchange, cookie, tokens.issue(user, known), SessionTokens.LIFETIME)));
        });
    }

    /** Makes the browser forget its session. */
    public void end(ServerWebExchange exchange) {
        end(exchange, COOKIE);
    }

    void end(ServerWebExchange exchange, String cookie) {
        addCookie(exchange, cookie, "", Duration.ZERO);
    }

    private static void addCookie(ServerWebExchange exchange, String cookie, String token, Duration lifetime) {
        exchange.getResponse()
                .addCookie(ResponseCookie.from(cookie, token)
                        .path("/")
                        .httpOnly(true)
                        .sameSite("Strict")
                        .secure("https".equals(exchange.getRequest().getURI().getScheme()))
                        .maxAge(lifetime)
                        .build());
    }
}
