package io.millrace.eventing.http.functions;

import io.millrace.eventing.http.Requests;
import io.millrace.functionfiles.Template;
import io.millrace.functionfiles.Templates;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Functions to start from. */
@RestController
@Tag(name = "functions")
class TemplateController {

    @GetMapping("/api/v1/templates")
    @Operation(summary = "Functions to start from, the simplest first")
    Mono<List<Template>> templates() {
        return Requests.work(Templates::all);
    }
}
