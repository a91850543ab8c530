package io.millrace.accessspring;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.httpdoor.BudgetExceededException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;

/**
 * The sessions of the CouchDB API: {@code POST} and {@code DELETE} of {@value #PATH}. The API itself says who asks. For the
 * services that clients log in to: the one that has the API, and the gateway in front of it, which knows the address of the
 * client.
 */
public final class CouchSessions {

    /** The path of sessions. */
    public static final String PATH = "/couch/_session";

    static final String COOKIE = "AuthSession";

    private record Login(@Nullable String name, @Nullable String password) {}

    private CouchSessions() {}

    /** Returns the routes; they come before those that pass the API on. */
    public static RouterFunction<ServerResponse> routes(Sessions sessions) {
        return RouterFunctions.route()
                .POST(PATH, request -> begin(request, sessions))
                .DELETE(PATH, request -> {
                    sessions.end(request.exchange(), COOKIE);
                    return answer(HttpStatus.OK, Map.of("ok", true));
                })
                .build();
    }

    private static Mono<ServerResponse> begin(ServerRequest request, Sessions sessions) {
        return login(Sessions.limited(request))
                .flatMap(login -> login.name() == null || login.password() == null
                        ? Mono.<Subject>empty()
                        : sessions.begin(request.exchange(), login.name(), login.password(), COOKIE))
                .flatMap(subject -> answer(HttpStatus.OK, shown(subject)))
                .onErrorResume(ServerWebInputException.class, malformed -> Mono.empty())
                .onErrorResume(
                        BudgetExceededException.class,
                        full -> answer(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                Map.of("error", "unavailable", "reason", BudgetExceededException.MESSAGE)))
                .switchIfEmpty(Mono.defer(() -> answer(
                        HttpStatus.BAD_REQUEST,
                        Map.of(
                                "error",
                                "bad_request",
                                "reason",
                                "The body must be JSON or a form with name and password."))));
    }

    private static Mono<Login> login(ServerRequest request) {
        boolean form = request.headers()
                .contentType()
                .filter(MediaType.APPLICATION_FORM_URLENCODED::isCompatibleWith)
                .isPresent();
        return form
                ? request.formData().map(fields -> new Login(fields.getFirst("name"), fields.getFirst("password")))
                : request.bodyToMono(Login.class);
    }

    private static Map<String, Object> shown(Subject subject) {
        List<String> roles = subject.roles().stream()
                .map(role -> role.equals(Role.ADMIN) ? "_admin" : role.toString())
                .toList();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ok", true);
        json.put("name", subject.name());
        json.put("roles", roles);
        return json;
    }

    private static Mono<ServerResponse> answer(HttpStatus status, Map<String, Object> body) {
        return ServerResponse.status(status)
                .cacheControl(CacheControl.noStore())
                .bodyValue(body);
    }
}
