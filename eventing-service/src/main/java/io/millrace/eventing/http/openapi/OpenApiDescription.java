package io.millrace.eventing.http.openapi;

import io.millrace.eventing.definition.Env;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.RequestPaths;
import io.millrace.eventing.definition.SecretNames;
import io.millrace.eventing.definition.Setting;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.OwnPaths;
import io.millrace.eventing.versions.Author;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.PathParameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.tags.Tag;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.method.HandlerMethod;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Completes the OpenAPI document with what annotations of the controllers do not say: types, errors, order of the tags. */
@Configuration(proxyBeanMethods = false)
class OpenApiDescription {

    static {
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(FunctionName.class, Body.class, Author.class, Asker.class);
    }

    private static final String JSON = "application/json";

    /** The name of the function in all examples, and the parameters that take it. */
    private static final String FUNCTION = "enrich";

    private static final Set<String> FUNCTION_NAMES = Set.of("name", "appName");
    private static final String NO_BODY = "none";
    private static final String EVENTS = "text/event-stream";

    private final Map<String, DescribedOperation> operations = new LinkedHashMap<>();
    private final Map<String, Schema<?>> schemas;
    private final List<Tag> tags;

    OpenApiDescription() {
        Document document = Document.load();
        document.operations().forEach((at, operation) -> operations.put(at, described(operation)));
        this.schemas = new SchemaReader(document.schemas()).all();
        this.tags = document.tags().stream()
                .map(tag -> new Tag().name(tag.get("name")).description(tag.get("description")))
                .toList();
        addSettings(Objects.requireNonNull(schemas.get("FunctionSettings")));
    }

    /** The file with what annotations do not say. */
    private record Document(
            List<Map<String, String>> tags,
            Map<String, Map<String, String>> operations,
            Map<String, Map<String, Object>> schemas) {

        @SuppressWarnings("unchecked") // the file is ours
        static Document load() {
            try (InputStream file = new ClassPathResource("openapi/functions.yml").getInputStream()) {
                Map<String, Object> yaml = new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
                return new Document(
                        (List<Map<String, String>>) Objects.requireNonNull(yaml.get("tags")),
                        (Map<String, Map<String, String>>) Objects.requireNonNull(yaml.get("operations")),
                        (Map<String, Map<String, Object>>) Objects.requireNonNull(yaml.get("schemas")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static DescribedOperation described(Map<String, String> yaml) {
        String required = yaml.get("body");
        String body = required == null ? yaml.get("optionalBody") : required;
        return new DescribedOperation(
                Objects.requireNonNull(yaml.get("id")),
                Objects.requireNonNull(yaml.get("response")),
                body,
                required != null,
                yaml.get("description"));
    }

    private static void addSettings(Schema<?> settings) {
        for (Setting setting : Setting.values()) {
            Object standard = setting.standard();
            Schema<?> schema = new JsonSchema().description(setting.description());
            schema.setTypes(Set.of(
                    switch (standard) {
                        case Long number -> "integer";
                        case Boolean flag -> "boolean";
                        case List<?> lines -> "array";
                        case Env constants -> "object";
                        case SecretNames secrets -> "object";
                        case RequestPaths paths -> "object";
                        default -> "string";
                    }));
            if (standard instanceof List<?>) {
                Schema<?> line = new JsonSchema();
                line.setTypes(Set.of("string"));
                schema.setItems(line);
            }
            schema.setDefault(shown(standard));
            settings.addProperty(setting.jsonName(), schema);
        }
    }

    private static Object shown(Object standard) {
        return switch (standard) {
            case Env env -> env.constants();
            case SecretNames secrets -> secrets.names();
            case RequestPaths none -> Map.of();
            default -> standard;
        };
    }

    @Bean
    OperationCustomizer functionName() {
        return (operation, method) -> {
            if (has(method, FunctionName.class)) {
                addName(operation);
            }
            if (has(method, Author.class)) {
                operation.addParametersItem(new QueryParameter()
                        .name("note")
                        .schema(new StringSchema())
                        .required(false)
                        .description("note of the version that is saved, up to %d characters"
                                .formatted(Author.MAX_NOTE_CHARS)));
            }
            return operation;
        };
    }

    private static boolean has(HandlerMethod method, Class<?> type) {
        return Stream.of(method.getMethodParameters()).anyMatch(parameter -> parameter.getParameterType() == type);
    }

    private static void addName(Operation operation) {
        operation.addParametersItem(new PathParameter()
                .name("name")
                .schema(new StringSchema())
                .description("name of the function")
                .example(FUNCTION));
        for (String part : new String[] {"bucket", "scope"}) {
            operation.addParametersItem(new QueryParameter()
                    .name(part)
                    .schema(new StringSchema())
                    .required(false)
                    .description(part + " of the function scope, if the function has one"));
        }
    }

    @Bean
    OpenApiCustomizer types() {
        return openApi -> {
            openApi.getComponents().setSchemas(new LinkedHashMap<>(schemas));
            openApi.setTags(tags);
            // clients of Couchbase write some paths with a slash at the end as well, which is not worth a second entry
            openApi.getPaths().keySet().removeIf(path -> path.endsWith("/"));
            openApi.getPaths()
                    .forEach((path, item) -> item.readOperationsMap()
                            .forEach((method, operation) -> complete(openApi, method + " " + path, path, operation)));
        };
    }

    private void complete(OpenAPI openApi, String at, String path, Operation operation) {
        DescribedOperation described = operations.get(at);
        if (described == null) {
            throw new IllegalStateException("openapi/functions.yml does not describe " + at + ".");
        }
        operation.setOperationId(described.id());
        if (operation.getParameters() != null) {
            operation.getParameters().stream()
                    .filter(parameter -> FUNCTION_NAMES.contains(parameter.getName()))
                    .forEach(parameter -> parameter.setExample(FUNCTION));
        }
        if (described.description() != null) {
            operation.setDescription(described.description());
        }
        if (described.body() != null) {
            operation.setRequestBody(
                    new RequestBody().required(described.bodyRequired()).content(content(described.body())));
        }
        ApiResponses responses = new ApiResponses();
        ApiResponse success = new ApiResponse().description("The request succeeded");
        responses.addApiResponse(
                described.response().equals(NO_BODY) ? "204" : "200",
                described.response().equals(NO_BODY) ? success : success.content(content(described.response())));
        boolean own = OwnPaths.contains(path);
        String mediaType = own ? org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE : JSON;
        MediaType error = new MediaType().schema(SchemaReader.reference(own ? "Problem" : "FunctionsError"));
        Content errors = new Content().addMediaType(mediaType, error);
        responses.addApiResponse(
                "4XX", new ApiResponse().description("The request is refused").content(errors));
        responses.addApiResponse(
                "5XX", new ApiResponse().description("The service failed").content(errors));
        operation.setResponses(responses);
    }

    private Content content(String type) {
        if (!type.contains("/")) {
            MediaType json = new MediaType().schema(SchemaReader.reference(type));
            Object example = example(schemas.get(type));
            return new Content().addMediaType(JSON, example == null ? json : json.example(example));
        }
        Schema<?> schema = type.equals(EVENTS) ? SchemaReader.reference("LogLine") : new StringSchema();
        MediaType text = new MediaType().schema(schema);
        return new Content()
                .addMediaType(
                        type,
                        type.equals("application/javascript")
                                ? text.example("function OnUpdate(doc, meta) { log(meta.id, doc); }")
                                : text);
    }

    private static @Nullable Object example(@Nullable Schema<?> schema) {
        return schema == null ? null : schema.getExample();
    }
}
