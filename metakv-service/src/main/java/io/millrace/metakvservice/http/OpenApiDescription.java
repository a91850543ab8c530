package io.millrace.metakvservice.http;

import io.millrace.problemdetails.Problem;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.info.Contact;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.PathParameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Completes the OpenAPI document with what annotations do not say: error bodies, examples, order of the tags. */
@Configuration(proxyBeanMethods = false)
class OpenApiDescription {

    private static final String ENTRIES = "/_metakv/{path}";
    private static final String JSON = "application/json";
    private static final String PROBLEM = org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE;

    /** Operation to the example of its body. Every example succeeds if it is sent unchanged. */
    private static final Map<String, Object> EXAMPLES = Map.of(
            "register",
            Map.of("service", "example", "address", "http://127.0.0.1:9000", "version", "1.0", "leaseSeconds", 30),
            "rebalance",
            Map.of("keepNodes", List.of(), "ejectNodes", List.of()),
            "append",
            Map.of("events", List.of(Map.of("type", "OrderPlaced", "data", Map.of("total", 42)))),
            "appendToAuditTrail",
            Map.of("lines", List.of()),
            "setEntry",
            Map.of("hello", "world"));

    /** Name of a parameter to its example, where the annotation has none. */
    private static final Map<String, Object> PARAMETERS =
            Map.of("id", "example", "stream", "order-1", "until", 0, "trail", "example");

    @Bean
    OpenAPI description() {
        return new OpenAPI()
                .info(new Info()
                        .title("Millrace configuration and nodes")
                        .version("v1")
                        .description(
                                "Configuration entries with revs and watches, the registry of nodes, the topology of"
                                        + " eventing nodes, event streams, and the audit trails. Errors are problem details (RFC 9457).")
                        .contact(new Contact().name("Millrace"))
                        .license(new License().name("Apache-2.0").identifier("Apache-2.0")))
                .tags(List.of(
                        new Tag()
                                .name("Topology")
                                .description("Nodes that share the vbuckets of functions; rebalance and failover"),
                        new Tag()
                                .name("Nodes")
                                .description("Registry of live processes; a registration ends with its lease"),
                        new Tag()
                                .name("Entries")
                                .description(
                                        "Values at paths, with revs, histories and watches; a path that ends with a"
                                                + " slash is a directory"),
                        new Tag().name("Streams").description("Event streams, each named <category>-<id>"),
                        new Tag()
                                .name("Audit")
                                .description("Who did what, with what result: the trails of all services")));
    }

    @Bean
    OpenApiCustomizer completed() {
        return openApi -> {
            openApi.getComponents().addSchemas("Problem", problem());
            openApi.getComponents()
                    .getSchemas()
                    .remove("ServerSentEventObject"); // of return types: bodies are described
            openApi.getPaths()
                    .forEach((path, item) -> item.readOperations().forEach(operation -> {
                        if (path.equals(ENTRIES)) {
                            operation.addParametersItem(new PathParameter()
                                    .name("path")
                                    .description(
                                            "path of the entry without its first slash; slashes in it are sent as they"
                                                    + " are")
                                    .schema(new StringSchema())
                                    .example("example/greeting"));
                        }
                        complete(operation);
                    }));
        };
    }

    @SuppressWarnings("rawtypes") // of the library
    private static Schema problem() {
        Schema<?> problem =
                ModelConverters.getInstance(true).read(Problem.class).get("Problem");
        Schema<?> schema = problem == null ? new JsonSchema() : problem;
        if (schema.getProperties() != null) {
            schema.getProperties().remove("members"); // they are members of the problem itself
        }
        schema.setAdditionalProperties(true);
        return schema;
    }

    private static void complete(Operation operation) {
        if (operation.getParameters() != null) {
            operation.getParameters().stream()
                    .filter(parameter -> parameter.getExample() == null && PARAMETERS.containsKey(parameter.getName()))
                    .forEach(parameter -> parameter.setExample(PARAMETERS.get(parameter.getName())));
        }
        Content problem = new Content()
                .addMediaType(
                        PROBLEM,
                        new MediaType().schema(new JsonSchema().$ref(Components.COMPONENTS_SCHEMAS_REF + "Problem")));
        operation.getResponses().forEach((status, response) -> {
            if (status.startsWith("4")) {
                response.setContent(problem);
            } else if (status.startsWith("3")) {
                response.setContent(null);
            }
        });
        operation
                .getResponses()
                .addApiResponse(
                        "4XX",
                        new ApiResponse().description("The request is refused").content(problem))
                .addApiResponse(
                        "5XX",
                        new ApiResponse().description("The service failed").content(problem));
        RequestBody body = operation.getRequestBody();
        Object example = EXAMPLES.get(operation.getOperationId());
        if (body != null && example != null) {
            MediaType json = Objects.requireNonNull(body.getContent().get(JSON), JSON);
            json.setExample(example);
            if (operation.getOperationId().equals("setEntry")) {
                json.setSchema(new JsonSchema().description("any bytes"));
            }
        }
    }
}
