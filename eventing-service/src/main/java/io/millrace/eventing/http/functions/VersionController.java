package io.millrace.eventing.http.functions;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.Definitions;
import io.millrace.eventing.functions.Versions;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.versions.Author;
import io.millrace.eventing.versions.DefinitionDiff;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** The versions of a function: list, show, compare, roll back. */
@RestController
@RequestMapping("/api/v1/functions/{name}")
@Tag(name = "versions")
class VersionController {

    private static final int STANDARD_PAGE = 50;

    private final Versions versions;
    private final Definitions definitions;

    VersionController(Versions versions, Definitions definitions) {
        this.versions = versions;
        this.definitions = definitions;
    }

    @GetMapping("/versions")
    @Operation(summary = "Versions of a function, newest first, with author, time, note and what each changed")
    Mono<ObjectNode> list(
            FunctionName name,
            @RequestParam(required = false) @Nullable Long before,
            @RequestParam(required = false) @Nullable Integer limit) {
        int most = Math.clamp(Objects.requireNonNullElse(limit, STANDARD_PAGE), 1, Versions.MAX_PAGE);
        return Requests.work(() -> versions.list(name, Objects.requireNonNullElse(before, Long.MAX_VALUE), most));
    }

    @GetMapping("/versions/{version}")
    @Operation(summary = "One version with its definition; secrets are masked")
    Mono<ObjectNode> show(FunctionName name, @Parameter(example = "1") @PathVariable long version) {
        return Requests.work(() -> kept(versions.show(name, version), name, version));
    }

    @GetMapping("/versions/{version}/diff")
    @Operation(summary = "What a version changed in code, bindings and settings")
    Mono<ResponseEntity<Object>> diff(
            FunctionName name,
            @Parameter(example = "1") @PathVariable long version,
            @Parameter(example = "1") @RequestParam(required = false) @Nullable Long from,
            @RequestHeader(name = HttpHeaders.ACCEPT, required = false) @Nullable String accept) {
        long other = Objects.requireNonNullElse(from, version - 1);
        return Requests.work(() -> {
            Versions.Comparison found = kept(versions.diff(name, version, other), name, version + " or " + other);
            return answer(found.diff(), "version " + found.from(), "version " + found.to(), accept);
        });
    }

    @PostMapping("/diff")
    @Operation(summary = "What saving the definition in the body would change; nothing is saved")
    Mono<ResponseEntity<Object>> compare(
            FunctionName name,
            Body body,
            @RequestHeader(name = HttpHeaders.ACCEPT, required = false) @Nullable String accept) {
        return Requests.work(() -> {
            String stored = "version " + definitions.version(name).number();
            return answer(definitions.compare(body.json(), name), stored, "new", accept);
        });
    }

    private static ResponseEntity<Object> answer(DefinitionDiff diff, String from, String to, @Nullable String accept) {
        boolean text = accept != null && accept.startsWith(MediaType.TEXT_PLAIN_VALUE);
        return text
                ? ResponseEntity.ok()
                        .contentType(MediaType.parseMediaType("text/plain;charset=UTF-8"))
                        .body(diff.text(from, to))
                : ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(diff.json(from, to));
    }

    @PostMapping("/versions/{version}/rollback")
    @Operation(summary = "Save a version as the newest one")
    Mono<Map<String, Object>> rollBack(
            FunctionName name,
            @Parameter(example = "1") @PathVariable long version,
            @RequestParam(required = false) @Nullable String restart,
            Author author) {
        boolean restarting = Boolean.TRUE.equals(Requests.flag("restart", restart));
        return Requests.work(() -> {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put(
                    "version",
                    kept(versions.rollBack(name, version, restarting, author), name, version)
                            .number());
            answer.put("rolled_back_to", version);
            return answer;
        });
    }

    private static <T> T kept(Optional<T> found, FunctionName name, Object version) {
        return found.orElseThrow(() -> ProblemException.of(Problem.of(
                        HttpStatus.NOT_FOUND,
                        "version_not_found",
                        "The function %s has no version %s, or it is not kept any more.".formatted(name, version))
                .withAction("List the versions of the function; MetaKV keeps those of its newest 1,000 changes.")));
    }
}
