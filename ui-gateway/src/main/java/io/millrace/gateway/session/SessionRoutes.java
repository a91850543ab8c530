package io.millrace.gateway.session;

import static org.springdoc.core.fn.builders.apiresponse.Builder.responseBuilder;
import static org.springdoc.core.fn.builders.content.Builder.contentBuilder;
import static org.springdoc.core.fn.builders.requestbody.Builder.requestBodyBuilder;
import static org.springdoc.core.fn.builders.schema.Builder.schemaBuilder;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.accessspring.CouchSessions;
import io.millrace.accessspring.Sessions;
import io.millrace.accessspring.Subjects;
import io.millrace.problemdetails.Problem;
import java.util.List;
import java.util.Locale;
import org.springdoc.core.fn.builders.apiresponse.Builder;
import org.springdoc.webflux.core.fn.SpringdocRouteBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;

/** The session of a browser: {@code POST} begins one, {@code GET} says whose it is, {@code DELETE} ends it. */
@Configuration(proxyBeanMethods = false)
class SessionRoutes {

    private static final String PATH = "/api/v1/session";
    private static final String TAG = "Sessions";

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
        return SpringdocRouteBuilder.route()
                .GET(
                        PATH,
                        request -> answer(Subjects.of(request)),
                        operation -> operation
                                .operationId("getSession")
                                .tag(TAG)
                                .summary("Say who asks, with which roles")
                                .description("With any kind of login: Basic, an API key, or the cookie of a session.")
                                .response(asker("Who asks"))
                                .response(problem("401", "The request has no login, or one that does not hold")))
                .POST(
                        PATH,
                        request -> begin(request, sessions),
                        operation -> operation
                                .operationId("beginSession")
                                .tag(TAG)
                                .summary("Log in with a browser")
                                .description(
                                        "The response sets a cookie that scripts cannot read and other sites cannot"
                                                + " use.")
                                .requestBody(requestBodyBuilder()
                                        .required(true)
                                        .content(contentBuilder()
                                                .mediaType(MediaType.APPLICATION_JSON_VALUE)
                                                .schema(schemaBuilder().implementation(Login.class))))
                                .response(asker("Who has logged in"))
                                .response(problem("400", "The body is not JSON with user and password"))
                                .response(problem("401", "The user or the password is wrong"))
                                .response(problem("429", "Too many logins failed"))
                                .response(problem("503", "Logins cannot be checked at the moment")))
                .DELETE(
                        PATH,
                        request -> {
                            sessions.end(request.exchange());
                            return ServerResponse.noContent().build();
                        },
                        operation -> operation
                                .operationId("endSession")
                                .tag(TAG)
                                .summary("Log out: delete the cookie of the session")
                                .description(
                                        "Sessions on other devices go on until their time is up or the password changes.")
                                .response(responseBuilder()
                                        .responseCode("204")
                                        .description("The response deletes the cookie, also if there was none")))
                .build();
    }

    private static Builder asker(String description) {
        return responseBuilder()
                .responseCode("200")
                .description(description)
                .content(contentBuilder()
                        .mediaType(MediaType.APPLICATION_JSON_VALUE)
                        .schema(schemaBuilder().implementation(Asker.class)));
    }

    private static Builder problem(String status, String description) {
        return responseBuilder()
                .responseCode(status)
                .description(description)
                .content(contentBuilder()
                        .mediaType(MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                        .schema(schemaBuilder().implementation(Problem.class)));
    }

    /** The gateway answers them itself, because it knows the address of the client. */
    @Bean
    @Order(0) // before the routes to the services
    RouterFunction<ServerResponse> couchSessionRouter(Sessions sessions) {
        return CouchSessions.routes(sessions);
    }

    private static Mono<ServerResponse> begin(ServerRequest request, Sessions sessions) {
        return Sessions.limited(request)
                .bodyToMono(Login.class)
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
