package io.millrace.eventing.http.functions;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.Setting;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI document of one function, made from its setting. */
final class RequestDocument {

    private RequestDocument() {}

    static ObjectNode of(FunctionName name, ObjectNode definition) {
        JsonNode settings = definition.path("settings");
        JsonNode described = settings.path(Setting.OPENAPI.jsonName());
        if (described.isEmpty()) {
            throw ProblemException.of(Problem.of(
                            HttpStatus.NOT_FOUND,
                            "requests_not_described",
                            "The function %s does not say which requests it takes.".formatted(name))
                    .withAction("Give its setting openapi the paths of OnRequest."));
        }
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.1.0");
        ObjectNode info = document.putObject("info")
                .put("title", name.name())
                .put("version", definition.path("version").asString("1"));
        String description = settings.path(Setting.DESCRIPTION.jsonName()).asString("");
        if (!description.isEmpty()) {
            info.put("description", description);
        }
        document.putArray("servers")
                .addObject()
                .put("url", "/fn/" + name.toString().replace('/', ':'));
        described.properties().forEach(member -> document.set(member.getKey(), member.getValue()));
        return document;
    }
}
