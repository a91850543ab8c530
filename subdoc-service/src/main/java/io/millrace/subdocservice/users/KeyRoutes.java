package io.millrace.subdocservice.users;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.metakv.MetakvException;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import io.millrace.subdocservice.rest.error.ErrorResponses;
import io.millrace.users.ApiKey;
import io.millrace.users.Grants;
import io.millrace.users.UserDirectory;
import io.millrace.users.UsersLimits;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API keys. The response that creates one is the only one that contains its token. */
final class KeyRoutes {

    private static final String KEYS = "/api/v1/keys";
    private static final int MAX_BODY_BYTES = 64 * 1024;

    private final UserDirectory users;
    private final Requester requester;
    private final InstantSource clock;

    KeyRoutes(UserDirectory users, Requester requester, InstantSource clock) {
        this.users = users;
        this.requester = requester;
        this.clock = clock;
    }

    RouterFunction<ServerResponse> router() {
        return RouterFunctions.route()
                .GET(
                        KEYS,
                        request -> answer(
                                HttpStatus.OK,
                                users.keys().stream().map(this::shown).toList()))
                .POST(KEYS, this::create)
                .DELETE(KEYS + "/{key}", this::delete)
                .filter((request, handler) -> ErrorResponses.guard(
                        request,
                        asked -> handler.handle(asked)
                                .onErrorMap(
                                        MetakvException.class,
                                        failure -> ApiException.of(
                                                ApiError.UNAVAILABLE, String.valueOf(failure.getMessage())))))
                .build();
    }

    private Mono<ServerResponse> create(ServerRequest request) {
        Subject asker = requester.subject(request);
        return ApiException.readUpTo(request, MAX_BODY_BYTES, ApiError.BODY_TOO_LARGE)
                .map(body -> read(body, asker))
                .flatMap(created -> users.save(created.key()).then(Mono.defer(() -> {
                    Map<String, Object> json = shown(created.key());
                    json.put("token", created.token());
                    return answer(HttpStatus.CREATED, json);
                })));
    }

    private ApiKey.Created read(byte[] body, Subject asker) {
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            throw invalid("it is not JSON");
        }
        String description = json.path("description").asString("");
        if (description.isBlank() || description.length() > UsersLimits.MAX_DESCRIPTION_CHARS) {
            throw invalid("description must say in 1 to " + UsersLimits.MAX_DESCRIPTION_CHARS
                    + " characters what the key is for");
        }
        List<Role> roles = roles(json.path("roles"));
        refuseUnless(asker, roles);
        Instant now = clock.instant();
        return ApiKey.create(description.strip(), asker.name(), roles, now, expiry(json.path("expires"), now));
    }

    private static void refuseUnless(Subject asker, List<Role> touched) {
        Grants.objection(asker, touched).ifPresent(objection -> {
            throw ApiException.of(ApiError.FORBIDDEN, objection + ".");
        });
    }

    private static List<Role> roles(JsonNode json) {
        if (!json.isArray() || json.isEmpty() || json.size() > UsersLimits.MAX_ROLES) {
            throw invalid("roles must be an array of 1 to " + UsersLimits.MAX_ROLES
                    + " roles, such as [\"data_reader[orders]\"]");
        }
        List<Role> roles = new ArrayList<>();
        for (JsonNode role : json) {
            try {
                roles.add(Role.parse(role.asString("")));
            } catch (IllegalArgumentException e) {
                throw invalid(String.valueOf(e.getMessage()));
            }
        }
        return roles.stream().distinct().toList();
    }

    private static @Nullable Instant expiry(JsonNode json, Instant now) {
        if (json.isMissingNode() || json.isNull()) {
            return null;
        }
        try {
            Instant expires = Instant.parse(json.asString(""));
            if (expires.isAfter(now)) {
                return expires;
            }
        } catch (DateTimeException e) {
            // reported below
        }
        throw invalid("expires must be a time in the future, such as 2030-12-31T00:00:00Z");
    }

    private static ApiException invalid(String reason) {
        return ApiException.of(ApiError.INVALID_BODY, "The body does not describe an API key: " + reason + ".");
    }

    private Mono<ServerResponse> delete(ServerRequest request) {
        String id = request.pathVariable("key");
        return users.key(id)
                .map(key -> {
                    refuseUnless(requester.subject(request), key.roles());
                    return users.deleteKey(id).then(ServerResponse.noContent().build());
                })
                .orElseGet(() -> ErrorResponses.of(ApiError.KEY_NOT_FOUND, "There is no API key " + id + "."));
    }

    private Map<String, Object> shown(ApiKey key) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", key.id());
        json.put("description", key.description());
        json.put("created_by", key.createdBy());
        json.put("roles", key.roles().stream().map(Role::toString).toList());
        json.put("created", key.created().toString());
        if (key.expires() != null) {
            json.put("expires", key.expires().toString());
        }
        users.lastUse(key.id()).ifPresent(use -> json.put("last_use", use.toString()));
        return json;
    }

    private static Mono<ServerResponse> answer(HttpStatus status, Object body) {
        return ServerResponse.status(status)
                .cacheControl(CacheControl.noStore())
                .bodyValue(body);
    }
}
