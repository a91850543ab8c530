package io.millrace.eventing.http.libraries;

import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.libraries.FunctionLibraries;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Modules that functions import; a version is saved once and never changes. */
@RestController
@RequestMapping("/api/v1/libraries")
@Tag(name = "libraries", description = "JavaScript modules that functions import, by name and version")
class LibrariesController {

    private static final String VERSION = "/{name}/versions/{version}";

    private final FunctionLibraries libraries;

    LibrariesController(FunctionLibraries libraries) {
        this.libraries = libraries;
    }

    @GetMapping
    @Operation(summary = "All versions of all libraries, what they import and who imports them")
    Mono<List<Map<String, Object>>> list() {
        return Requests.work(
                () -> libraries.list().stream().map(LibrariesController::shown).toList());
    }

    private static Map<String, Object> shown(FunctionLibraries.Listed listed) {
        String[] parts = listed.library().id().split("@", 2);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", parts[0]);
        shown.put("version", parts[1]);
        shown.put("saved", listed.saved().toString());
        shown.put("imports", listed.imports());
        shown.put("used_by", listed.users());
        return shown;
    }

    @GetMapping(VERSION)
    @Operation(summary = "A version of a library with its code")
    Mono<Map<String, Object>> get(
            @PathVariable String name, @Parameter(example = "1.0.0") @PathVariable String version) {
        return Requests.work(() -> {
            FunctionLibraries.Listed listed = libraries.get(name + '@' + version);
            Map<String, Object> shown = shown(listed);
            shown.put("code", listed.library().code());
            return shown;
        });
    }

    @PutMapping(VERSION)
    @Operation(
            summary = "Save a version of a library",
            description =
                    "The body is the module, as text. Saving the same code again changes nothing; other code is refused,"
                            + " because a version never changes.")
    Mono<Map<String, Object>> put(
            @PathVariable String name, @Parameter(example = "1.0.0") @PathVariable String version, Body body) {
        return Requests.work(() -> {
            libraries.save(name, version, body.text());
            return shown(libraries.get(name + '@' + version));
        });
    }

    @DeleteMapping(VERSION)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Delete a version of a library that nothing imports")
    Mono<Void> delete(@PathVariable String name, @Parameter(example = "1.0.0") @PathVariable String version) {
        return Requests.work(() -> {
                    libraries.delete(name + '@' + version);
                    return true;
                })
                .then();
    }
}
