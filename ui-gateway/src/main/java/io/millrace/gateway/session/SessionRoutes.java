package io.millrace.gateway.session;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.accessspring.CouchSessions;
import io.millrace.accessspring.Sessions;
import io.millrace.accessspring.Subjects;
import io.millrace.problemdetails.Problem;
import java.util.List;
import java.util.Locale;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;

/** The session of a browser: {@code POST} begins one, {@code GET} says whose it is, {@code DELETE} ends it. */
@Configuration(proxyBeanMethods = false)
class SessionRoutes {

    private static final String PATH = "/api/v1/session";

    private record Login(String user, String password) {}

    /**
     * Who asks.
     *
     * @param open whether requests without a login have all rights
     */
    private record Asker(String name, String domain, List<String> roles, boolean open) {

        static Asker of(Subject subject) {
            return new Asker(
                    subject.name(),
                    subject.domain().name().toLowerCase(Locale.ROOT),
                    subject.roles().stream().map(Role::toString).toList(),
                    subject.equals(Subject.open()));
        }
    }

    @Bean
    RouterFunction<ServerResponse> sessionRouter(Sessions sessions) {
        return RouterFunctions.route()
                .GET(PATH, request -> answer(Subjects.of(request)))
                .POST(PATH, request -> begin(request, sessions))
                .DELETE(PATH, request -> {
                    sessions.end(request.exchange());
                    return ServerResponse.noContent().build();
                })
                .build();
    }

    /** The gateway answers them itself, because it knows the address of the client. */
    @Bean
    @Order(0) // before the routes to the services
    RouterFunction<ServerResponse> couchSessionRouter(Sessions sessions) {
        return CouchSessions.routes(sessions);
    }

    private static Mono<ServerResponse> begin(ServerRequest request, Sessions sessions) {
        return request.bodyToMono(Login.class)
                .filter(login -> login.user() != null && login.password() != null)
                .flatMap(login -> sessions.begin(request.exchange(), login.user(), login.password()))
                .flatMap(SessionRoutes::answer)
                .onErrorResume(ServerWebInputException.class, malformed -> Mono.empty())
                .switchIfEmpty(Mono.defer(() -> Problem.of(
                                HttpStatus.BAD_REQUEST,
                                "invalid_login",
                                "The body must be JSON with user and password, such as"
                                        + " {\"user\": \"ann\", \"password\": \"...\"}.")
                        .toServerResponse(headers -> {})));
    }

    private static Mono<ServerResponse> answer(Subject subject) {
        return ServerResponse.ok().cacheControl(CacheControl.noStore()).bodyValue(Asker.of(subject));
    }
}
