package io.millrace.subdocservice.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI document of this service, which is written by hand in a resource and served in place of springdoc's. */
final class OpenApiDocument {

    private static final String PATH = "/v3/api-docs";
    private static final MediaType YAML = MediaType.parseMediaType("application/vnd.oai.openapi");
    private static final String RESOURCE = "openapi/document-service.yaml";
    private static final int MAX_ALIASES = 1000;

    /** Where the parameters are that several operations share. */
    private static final String PARAMETERS = "/components/parameters";

    private OpenApiDocument() {}

    /** Routers come before springdoc's controller, whose document would have no paths. JSON text is YAML as well. */
    static RouterFunction<ServerResponse> router() {
        byte[] json = JsonMapper.shared()
                .writeValueAsBytes(withPathParameters(JsonMapper.shared().valueToTree(read())));
        return RouterFunctions.route()
                .GET(
                        PATH,
                        request -> ServerResponse.ok()
                                .contentType(MediaType.APPLICATION_JSON)
                                .bodyValue(json))
                .GET(
                        PATH + ".yaml",
                        request -> ServerResponse.ok().contentType(YAML).bodyValue(json))
                .build();
    }

    /** Swagger UI neither shows nor sends parameters of a path that are references, so each path has its own. */
    private static ObjectNode withPathParameters(ObjectNode document) {
        Set<String> copied = new HashSet<>();
        for (JsonNode path : document.get("paths")) {
            if (path.get("parameters") instanceof ArrayNode parameters) {
                for (int i = 0; i < parameters.size(); i++) {
                    String reference = parameters.get(i).get("$ref").asString();
                    parameters.set(i, document.at(reference.substring(1)));
                    copied.add(reference);
                }
            }
        }
        String text = document.toString();
        ObjectNode components = (ObjectNode) document.at(PARAMETERS);
        copied.stream()
                .filter(reference -> !text.contains('"' + reference + '"'))
                .forEach(reference -> components.remove(reference.substring(PARAMETERS.length() + 2)));
        return document;
    }

    private static Object read() {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(MAX_ALIASES);
        try (InputStream text = new ClassPathResource(RESOURCE).getInputStream()) {
            return new Yaml(new SafeConstructor(options)).load(text);
        } catch (IOException e) {
            throw new UncheckedIOException("The resource " + RESOURCE + " is not readable", e);
        }
    }
}
