package io.millrace.subdocservice.rest;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Short words for OpenAPI's model, so that a description reads as one. */
final class Describe {

    static final String JSON = "application/json";

    private Describe() {}

    static Operation operation(String id, String tag, String summary, String description) {
        return new Operation()
                .operationId(id)
                .addTagsItem(tag)
                .summary(summary)
                .description(description)
                .responses(new ApiResponses());
    }

    /** Adds parameters that {@link OpenApiDescription} defines, by their keys. */
    static Operation parameters(Operation operation, String... keys) {
        for (String key : keys) {
            operation.addParametersItem(new Parameter().$ref("#/components/parameters/" + key));
        }
        return operation;
    }

    static Operation body(Operation operation, Content content, boolean required) {
        return operation.requestBody(new RequestBody().content(content).required(required));
    }

    /** Adds an answer; a null content is an empty body. */
    static Operation answers(Operation operation, int status, String description, @Nullable Content content) {
        operation
                .getResponses()
                .addApiResponse(
                        Integer.toString(status),
                        new ApiResponse().description(description).content(content));
        return operation;
    }

    /** Adds headers to an answer that is there. */
    static Operation headers(Operation operation, int status, Map<String, String> headers) {
        ApiResponse answer = Objects.requireNonNull(operation.getResponses().get(Integer.toString(status)));
        headers.forEach((name, description) -> answer.addHeaderObject(
                name, new Header().description(description).schema(type("string"))));
        return operation;
    }

    /** Adds refusals that an operation can end with to what is said of their statuses. */
    static Operation refusals(Operation operation, ApiError... errors) {
        for (ApiError error : errors) {
            int status = error.status().value();
            String code = "`" + error.code() + "`";
            ApiResponse said = operation.getResponses().get(Integer.toString(status));
            if (said == null) {
                answers(operation, status, code, content(JSON, ref("Error"), null));
            } else if (!said.getDescription().contains(code)) {
                said.description(said.getDescription() + ", " + code);
            }
        }
        return operation;
    }

    static Content content(String mediaType, Schema<?> schema, @Nullable Object example) {
        MediaType media = new MediaType().schema(schema);
        if (example != null) {
            media.setExample(example);
        }
        return new Content().addMediaType(mediaType, media);
    }

    static Schema<?> ref(String name) {
        return new Schema<>().$ref("#/components/schemas/" + name);
    }

    static Schema<?> type(String type) {
        Schema<?> schema = new Schema<>().type(type);
        schema.addType(type);
        return schema;
    }

    static Schema<?> arrayOf(Schema<?> items) {
        return type("array").items(items);
    }
}
