package io.millrace.subdocservice.pools;

import static io.millrace.subdocservice.pools.ManagementAnswers.WHOLE;
import static io.millrace.subdocservice.pools.ManagementAnswers.json;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.metakv.MetakvException;
import io.millrace.subdocservice.http.Requester;
import io.millrace.users.Grants;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Users and their roles, as SDKs and couchbase-cli manage them. The doors ask who may manage users; this class asks in addition
 * who may grant which role.
 */
final class UserManagement {

    private static final String RBAC = "/settings/rbac";
    private static final String USERS = RBAC + "/users";
    private static final String DOMAIN = USERS + "/{domain}";
    private static final String USER = DOMAIN + "/{user}";

    private static final String LOCAL = "local";
    private static final String EXTERNAL = "external";

    private final UserDirectory users;
    private final Requester requester;

    UserManagement(UserDirectory users, Requester requester) {
        this.users = users;
        this.requester = requester;
    }

    void addTo(RouterFunctions.Builder routes) {
        routes.GET(RBAC + "/roles", request -> ok(UserJson.roles()))
                .GET(USERS, request -> ok(shown()))
                .GET(DOMAIN, answered(this::ofDomain))
                .GET(USER, answered(this::get))
                .PUT(USER, answered(this::put))
                .PATCH(USER, answered(this::patch))
                .DELETE(USER, answered(this::delete))
                .POST("/controller/changePassword", answered(this::changePassword))
                .GET("/whoami", request -> ok(UserJson.of(requester.subject(request))));
    }

    private List<Map<String, Object>> shown() {
        return users.users().stream().map(UserJson::of).toList();
    }

    private Mono<ServerResponse> ofDomain(ServerRequest request) {
        return switch (request.pathVariable("domain")) {
            case LOCAL -> ok(shown());
            case EXTERNAL -> ok(List.of());
            default -> throw unknownDomain(request);
        };
    }

    private Mono<ServerResponse> get(ServerRequest request) {
        return users.find(local(request)).map(user -> ok(UserJson.of(user))).orElseGet(UserManagement::unknownUser);
    }

    private Mono<ServerResponse> put(ServerRequest request) {
        String name = local(request);
        if (!User.isName(name)) {
            throw ManagementFault.of(
                    HttpStatus.BAD_REQUEST,
                    WHOLE,
                    "The name of a user has 1 to 128 characters without blanks, control characters and"
                            + " ()<>,;:\\\"/[]?={}, and does not begin with @.");
        }
        return form(request)
                .flatMap(form -> users.change(name, before -> {
                    if (before.isEmpty() && form.password() == null) {
                        throw ManagementFault.of(
                                HttpStatus.BAD_REQUEST, UserForm.PASSWORD, "The password is required for a new user.");
                    }
                    return checked(request, before, form.replacing(name, before));
                }))
                .flatMap(user -> ok(UserJson.of(user)));
    }

    private Mono<ServerResponse> patch(ServerRequest request) {
        String name = local(request);
        return form(request)
                .flatMap(form -> users.find(name).isEmpty()
                        ? unknownUser()
                        : users.change(name, before -> {
                                    User user = before.orElseThrow(
                                            () -> ManagementFault.of(HttpStatus.NOT_FOUND, WHOLE, "Unknown user."));
                                    return checked(request, before, form.changing(user));
                                })
                                .flatMap(user -> ok(UserJson.of(user))));
    }

    private Mono<ServerResponse> delete(ServerRequest request) {
        String name = local(request);
        return users.find(name)
                .map(user -> {
                    refuseUnless(requester.subject(request), user.roles());
                    keepOneAdministrator(user, List.of());
                    return users.delete(name).then(Mono.defer(() -> ok("")));
                })
                .orElseGet(UserManagement::unknownUser);
    }

    /** Everyone may change the own password; sessions that were begun with the old one end. */
    private Mono<ServerResponse> changePassword(ServerRequest request) {
        Subject asker = requester.subject(request);
        if (asker.domain() != Subject.Domain.LOCAL || users.find(asker.name()).isEmpty()) {
            throw ManagementFault.of(
                    HttpStatus.BAD_REQUEST, WHOLE, "Only a user who is stored in Millrace has a password to change.");
        }
        return Forms.of(request).flatMap(form -> {
            String password = form.getFirst(UserForm.PASSWORD);
            UserForm.passwordProblem(password == null ? "" : password).ifPresent(problem -> {
                throw ManagementFault.of(HttpStatus.BAD_REQUEST, UserForm.PASSWORD, problem);
            });
            return users.change(
                            asker.name(),
                            before -> before.orElseThrow(
                                            () -> ManagementFault.of(HttpStatus.NOT_FOUND, WHOLE, "Unknown user."))
                                    .withPassword(String.valueOf(password)))
                    .flatMap(user -> ok(""));
        });
    }

    private User checked(ServerRequest request, Optional<User> before, User after) {
        List<Role> old = before.map(User::roles).orElse(List.of());
        refuseUnless(
                requester.subject(request),
                Stream.concat(old.stream(), after.roles().stream()).toList());
        before.ifPresent(user -> keepOneAdministrator(user, after.roles()));
        return after;
    }

    private static void refuseUnless(Subject asker, Collection<Role> touched) {
        Grants.objection(asker, touched).ifPresent(objection -> {
            throw ManagementFault.of(HttpStatus.FORBIDDEN, UserForm.ROLES, objection + ".");
        });
    }

    /** Without an administrator there would be no way to make one. */
    private void keepOneAdministrator(User user, List<Role> roles) {
        boolean last = user.roles().contains(Role.ADMIN)
                && !roles.contains(Role.ADMIN)
                && users.users().stream()
                        .noneMatch(other -> !other.name().equals(user.name())
                                && other.roles().contains(Role.ADMIN));
        if (last) {
            throw ManagementFault.of(
                    HttpStatus.BAD_REQUEST,
                    UserForm.ROLES,
                    user.name() + " is the only user with the role admin. Grant it to another user first.");
        }
    }

    private static Mono<UserForm> form(ServerRequest request) {
        return Forms.of(request).flatMap(form -> {
            UserForm read = UserForm.read(form);
            return read.errors().isEmpty()
                    ? Mono.just(read)
                    : Mono.error(new ManagementFault(HttpStatus.BAD_REQUEST, read.errors()));
        });
    }

    private static String local(ServerRequest request) {
        return switch (request.pathVariable("domain")) {
            case LOCAL -> request.pathVariable("user");
            case EXTERNAL ->
                throw ManagementFault.of(
                        HttpStatus.NOT_FOUND,
                        WHOLE,
                        "Users of an identity provider are not stored in Millrace; use the domain local.");
            default -> throw unknownDomain(request);
        };
    }

    private static ManagementFault unknownDomain(ServerRequest request) {
        return ManagementFault.of(
                HttpStatus.NOT_FOUND,
                WHOLE,
                "There is no domain " + request.pathVariable("domain") + "; use local or external.");
    }

    private static HandlerFunction<ServerResponse> answered(HandlerFunction<ServerResponse> handler) {
        return request -> Mono.defer(() -> handler.handle(request))
                .onErrorResume(ManagementFault.class, ManagementAnswers::fault)
                .onErrorResume(
                        MetakvException.class,
                        failure -> ManagementAnswers.later(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                "The users cannot be changed at the moment: " + failure.getMessage()));
    }

    private static Mono<ServerResponse> unknownUser() {
        return json(HttpStatus.NOT_FOUND, BucketJson.bytes("Unknown user."));
    }

    private static Mono<ServerResponse> ok(Object body) {
        return json(HttpStatus.OK, BucketJson.bytes(body));
    }
}
