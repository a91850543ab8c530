package io.millrace.eventing.http.openapi;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.http.Body;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.PathParameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import java.util.stream.Stream;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerMethod;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Describes, in OpenAPI, what the argument resolvers of this package read. */
@Configuration(proxyBeanMethods = false)
class OpenApiDescription {

    static {
        SpringDocUtils.getConfig()
                .addRequestWrapperToIgnore(FunctionName.class, Body.class)
                .replaceWithSchema(ObjectNode.class, new ObjectSchema())
                .replaceWithSchema(ArrayNode.class, new ArraySchema().items(new ObjectSchema()));
    }

    private static final String EXAMPLE = """
            {"appname": "enrich",
             "appcode": "function OnUpdate(doc, meta) { target[meta.id] = doc; }",
             "depcfg": {"source_bucket": "orders", "metadata_bucket": "eventing",
                        "buckets": [{"alias": "target", "bucket_name": "enriched", "access": "rw"}]},
             "settings": {"dcp_stream_boundary": "everything"}}""";

    @Bean
    OperationCustomizer resolvedArguments() {
        return (operation, method) -> {
            if (has(method, FunctionName.class)) {
                addName(operation);
            }
            if (has(method, Body.class)) {
                addBody(operation, method.getMethod().getName());
            }
            return operation;
        };
    }

    private static boolean has(HandlerMethod method, Class<?> type) {
        return Stream.of(method.getMethodParameters()).anyMatch(parameter -> parameter.getParameterType() == type);
    }

    private static void addName(Operation operation) {
        operation.addParametersItem(
                new PathParameter().name("name").schema(new StringSchema()).description("the function's name"));
        for (String part : new String[] {"bucket", "scope"}) {
            operation.addParametersItem(new QueryParameter()
                    .name(part)
                    .schema(new StringSchema())
                    .required(false)
                    .description(part + " of its function scope, when it has one"));
        }
    }

    private static void addBody(Operation operation, String method) {
        boolean code = method.equals("changeCode");
        MediaType body = new MediaType().schema(code ? new StringSchema() : new ObjectSchema());
        if (method.equals("save")) {
            body.setExample(EXAMPLE);
        }
        operation.setRequestBody(new RequestBody()
                .required(!method.equals("deploy"))
                .content(new Content().addMediaType(code ? "application/javascript" : "application/json", body)));
    }
}
