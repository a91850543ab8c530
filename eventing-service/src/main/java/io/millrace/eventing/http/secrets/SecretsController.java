package io.millrace.eventing.http.secrets;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.FunctionSecrets;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.secrets.SecretException;
import io.millrace.eventing.secrets.SecretStore;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Secrets are written, listed without their values, and deleted; no request reads a value. */
@RestController
@RequestMapping("/api/v1/secrets")
@Tag(name = "secrets", description = "Passwords and keys that bindings of functions send, or their code reads")
class SecretsController {

    private final FunctionSecrets secrets;

    SecretsController(FunctionSecrets secrets) {
        this.secrets = secrets;
    }

    @GetMapping
    @Operation(summary = "Names of secrets, where they may be sent, and the functions that use them")
    Mono<List<Map<String, Object>>> list() {
        return answered(
                () -> secrets.list().stream().map(SecretsController::shown).toList());
    }

    private static Map<String, Object> shown(FunctionSecrets.Listed listed) {
        String place = listed.secret().origin();
        boolean read = place.startsWith(SecretStore.FUNCTION);
        return Map.of(
                "name",
                listed.secret().name(),
                read ? "function" : "url",
                read ? place.substring(SecretStore.FUNCTION.length()) : place,
                "changed",
                listed.secret().changed().toString(),
                "key",
                listed.secret().keyId(),
                "used_by",
                listed.functions());
    }

    @PutMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Store a secret",
            description =
                    "The body has a `value` and the `url` of the server that it is for: bindings to another scheme,"
                            + " host or port cannot use it. Functions that use the secret are restarted with the new"
                            + " value. With `function` in place of `url` the code of that function, and of no other, may"
                            + " read it by the setting `secrets`; it takes a new value without a pause, unless it has OnDeploy.")
    Mono<Void> put(@PathVariable String name, Body body) {
        return answered(() -> {
                    JsonNode json = body.json();
                    if (json.has("function")) {
                        secrets.put(name, function(json), text(json, "value"));
                    } else {
                        secrets.put(name, text(json, "url"), text(json, "value"));
                    }
                    return true;
                })
                .then();
    }

    /** Reads {@code NAME} or {@code BUCKET/SCOPE/NAME}. */
    private static FunctionName function(JsonNode json) {
        String[] parts = text(json, "function").split("/", -1);
        if (json.has("url") || parts.length != 1 && parts.length != 3) {
            throw ProblemException.of(Problem.of(
                    HttpStatus.BAD_REQUEST,
                    "invalid_secret",
                    "A secret is for one url, or for one function: NAME, or BUCKET/SCOPE/NAME."));
        }
        return parts.length == 1 ? FunctionName.of(parts[0]) : new FunctionName(parts[0], parts[1], parts[2]);
    }

    private static String text(JsonNode json, String field) {
        JsonNode value = json.path(field);
        if (!value.isString() || value.stringValue().isEmpty()) {
            throw ProblemException.of(Problem.of(
                    HttpStatus.BAD_REQUEST,
                    "invalid_secret",
                    "The body must be an object with the texts value and url, or value and function; %s is missing."
                            .formatted(field)));
        }
        return value.stringValue();
    }

    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Delete a secret that no function uses")
    Mono<Void> delete(@PathVariable String name) {
        return answered(() -> {
                    secrets.delete(name);
                    return true;
                })
                .then();
    }

    @PostMapping("/rewrap")
    @Operation(
            summary = "Encrypt all secrets with the current master key",
            description = "After that, a former master key is no longer needed.")
    Mono<Map<String, Object>> rewrap() {
        return answered(() -> Map.of("rewrapped", secrets.rewrap()));
    }

    private static <T> Mono<T> answered(Callable<T> work) {
        return Requests.work(work).onErrorMap(SecretException.class, SecretsController::problem);
    }

    private static Throwable problem(SecretException refused) {
        String detail = String.valueOf(refused.getMessage());
        return ProblemException.of(
                switch (refused.code()) {
                    case INVALID, OTHER_ORIGIN -> Problem.of(HttpStatus.BAD_REQUEST, "invalid_secret", detail);
                    case NOT_FOUND -> Problem.of(HttpStatus.NOT_FOUND, "secret_not_found", detail);
                    case IN_USE -> Problem.of(HttpStatus.CONFLICT, "secret_in_use", detail);
                    case NO_MASTER_KEY -> Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "no_master_key", detail);
                    case UNREADABLE -> Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "secret_unreadable", detail);
                });
    }
}
