package io.millrace.eventing.http.functions;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionGraph.Neighbours;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.Definitions;
import io.millrace.eventing.http.Answers;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.http.functions.Consequences.Stop;
import io.millrace.eventing.libraries.FunctionLibraries;
import io.millrace.eventing.versions.Author;
import io.millrace.functionfiles.Types;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Definitions of functions and their parts. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "functions", description = "Definitions of functions, their export and import")
class FunctionController {

    private static final String STORED = "Successfully stored";
    private final Definitions definitions;
    private final FunctionLibraries libraries;

    FunctionController(Definitions definitions, FunctionLibraries libraries) {
        this.definitions = definitions;
        this.libraries = libraries;
    }

    @GetMapping("/functions")
    @Operation(summary = "All definitions, or those of a function scope; secrets are masked")
    Mono<ArrayNode> all(
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope,
            Asker asker) {
        return Requests.work(() -> definitions.all(bucket, scope, asker::reads));
    }

    @PostMapping("/functions")
    @Operation(summary = "Create or replace several functions; one result each")
    Mono<List<Map<String, Object>>> saveAll(Body body, Author author) {
        return Requests.work(() -> Answers.results(definitions.saveAll(body.json(), author), STORED));
    }

    @DeleteMapping("/functions")
    @Operation(summary = "Delete all undeployed functions; one result each")
    Mono<List<Map<String, Object>>> deleteAll() {
        return Requests.work(() -> Answers.results(definitions.deleteAll(), "Function deleted"));
    }

    @GetMapping("/export")
    @Operation(summary = "Export all definitions, with the libraries that they import; secrets are masked")
    Mono<ArrayNode> export() {
        return Requests.work(() -> libraries.exported(definitions.all(null, null, function -> true)));
    }

    @PostMapping("/import")
    @Operation(
            summary =
                    "Import definitions as undeployed functions; missing settings take their defaults; one result each")
    Mono<List<Map<String, Object>>> importAll(Body body, Author author) {
        return Requests.work(() -> Answers.results(
                definitions.importAll(libraries.imported(body.json()), author), "Successfully imported"));
    }

    @GetMapping("/functions/{name}")
    @Operation(summary = "The definition of a function; secrets are masked")
    Mono<ObjectNode> get(FunctionName name) {
        return Requests.work(() -> definitions.get(name));
    }

    @PostMapping("/functions/{name}")
    @Operation(summary = "Create or replace a function; warns of deployed functions that it wakes no more")
    Mono<Map<String, Object>> save(
            FunctionName name,
            Body body,
            @RequestParam(required = false) @Nullable String restart,
            @RequestParam(required = false) @Nullable String swap,
            Author author,
            Asker asker) {
        boolean restarting = Boolean.TRUE.equals(Requests.flag("restart", restart));
        boolean swapping = Boolean.TRUE.equals(Requests.flag("swap", swap));
        if (restarting && swapping) {
            throw FunctionsException.invalidRequest(
                    "restart=true allows a pause and swap=true refuses one; send one of them.");
        }
        return Requests.work(() -> {
            Neighbours before = definitions.neighbours(name, asker::reads);
            JsonNode definition = single(body.json());
            List<String> warnings = new ArrayList<>(
                    swapping
                            ? definitions.swap(definition, name, author)
                            : definitions.save(definition, name, restarting, author));
            warnings.addAll(Consequences.ofSaving(name, before, definitions.neighbours(name, asker::reads)));
            return Answers.ok(STORED, warnings);
        });
    }

    private static JsonNode single(JsonNode body) {
        if (!body.isArray()) {
            return body;
        }
        if (body.size() != 1) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "The body has %d definitions, but this path takes exactly one.".formatted(body.size()));
        }
        return body.get(0);
    }

    @DeleteMapping("/functions/{name}")
    @Operation(summary = "Delete an undeployed function; warns of what that means for other functions")
    Mono<Map<String, Object>> delete(
            FunctionName name, @RequestParam(required = false) @Nullable Long handleruuid, Asker asker) {
        return Requests.work(() -> {
            Neighbours deployed = definitions.neighbours(name, asker::reads);
            definitions.delete(name, handleruuid);
            return Answers.ok("Function: %s deleted".formatted(name), Consequences.of(Stop.DELETE, name, deployed));
        });
    }

    @GetMapping("/functions/{name}/settings")
    @Operation(summary = "All settings of a function")
    Mono<ObjectNode> settings(FunctionName name) {
        return Requests.work(() -> definitions.settings(name));
    }

    @PostMapping("/functions/{name}/settings")
    @Operation(summary = "Change settings; deployment_status and processing_status together change the state")
    Mono<Map<String, Object>> changeSettings(FunctionName name, Body body, Author author) {
        return Requests.work(() -> {
            definitions.changeSettings(name, body.json(), author);
            return Answers.ok("Function: %s stored settings".formatted(name));
        });
    }

    @GetMapping("/functions/{name}/config")
    @Operation(summary = "Keyspaces and bindings of a function")
    Mono<ObjectNode> config(FunctionName name) {
        return Requests.work(() -> definitions.deployment(name));
    }

    @PostMapping("/functions/{name}/config")
    @Operation(summary = "Replace keyspaces and bindings")
    Mono<Map<String, Object>> changeConfig(FunctionName name, Body body, Author author) {
        return Requests.work(() -> {
            definitions.changeDeployment(name, body.json(), author);
            return Answers.ok("Function: %s stored config".formatted(name));
        });
    }

    @GetMapping(value = "/functions/{name}/appcode", produces = "application/javascript;charset=UTF-8")
    @Operation(summary = "The code of a function")
    Mono<String> code(FunctionName name) {
        return Requests.work(() -> definitions.code(name));
    }

    @PostMapping("/functions/{name}/appcode")
    @Operation(summary = "Replace the code")
    Mono<Map<String, Object>> changeCode(FunctionName name, Body body, Author author) {
        return Requests.work(() -> {
            definitions.changeCode(name, body.text(), author);
            return Answers.ok("Function: %s stored appcode".formatted(name));
        });
    }

    @PostMapping("/functions/{name}/appcode/check")
    @Operation(summary = "What is wrong with code; nothing is saved")
    Mono<Map<String, Object>> checkCode(FunctionName name, Body body) {
        return Requests.work(() -> Map.of("mistakes", definitions.mistakes(name, body.text())));
    }

    @GetMapping(value = "/functions/{name}/types", produces = "text/plain;charset=UTF-8")
    @Operation(summary = "The types of the handler language and of the bindings, as a TypeScript declaration")
    Mono<String> types(FunctionName name) {
        return Requests.work(() -> Types.declaration(definitions.get(name)));
    }

    @GetMapping("/functions/{name}/openapi")
    @Operation(summary = "The OpenAPI document of the requests that the function takes")
    Mono<ObjectNode> openapi(FunctionName name) {
        return Requests.work(() -> RequestDocument.of(name, definitions.get(name)));
    }

    @GetMapping(value = "/functions/{name}/appcode/checksum", produces = MediaType.TEXT_PLAIN_VALUE)
    @Operation(summary = "SHA-256 of the code")
    Mono<String> checksum(FunctionName name) {
        return Requests.work(() -> definitions.checksum(name));
    }
}
