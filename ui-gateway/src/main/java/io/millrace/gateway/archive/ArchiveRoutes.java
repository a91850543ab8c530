package io.millrace.gateway.archive;

import static org.springdoc.core.fn.builders.apiresponse.Builder.responseBuilder;
import static org.springdoc.core.fn.builders.content.Builder.contentBuilder;
import static org.springdoc.core.fn.builders.parameter.Builder.parameterBuilder;
import static org.springdoc.core.fn.builders.requestbody.Builder.requestBodyBuilder;
import static org.springdoc.core.fn.builders.schema.Builder.schemaBuilder;

import io.millrace.problemdetails.Problem;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import org.springdoc.webflux.core.fn.SpringdocRouteBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Routes export and import of archives; all other requests to these paths go to eventing-service. */
@Configuration(proxyBeanMethods = false)
class ArchiveRoutes {

    private static final String TAG = "Archives";

    @Bean
    @Order(0)
    RouterFunction<ServerResponse> archives(ArchiveHandlers handlers) {
        return SpringdocRouteBuilder.route()
                .GET(
                        "/api/v1/export",
                        ArchiveHandlers::wantsZip,
                        handlers::exportZip,
                        operation -> operation
                                .operationId("exportZip")
                                .tag(TAG)
                                .summary("Export all functions as a zip archive")
                                .description("The archive has a folder per function with handler.js or handler.ts, and"
                                        + " function.json, as fn deploy --all takes them. Without format=zip and without Accept: application/zip the"
                                        + " response is the JSON of eventing-service.")
                                .parameter(parameterBuilder()
                                        .in(ParameterIn.QUERY)
                                        .name("format")
                                        .example("zip")
                                        .description("zip: an archive; absent: JSON"))
                                .response(responseBuilder()
                                        .responseCode("200")
                                        .description("The archive")
                                        .content(zip()))
                                .response(problem("4XX", "eventing-service refused the export"))
                                .response(problem("5XX", "eventing-service is not available")))
                .POST(
                        "/api/v1/import",
                        ArchiveHandlers::bringsZip,
                        handlers::importZip,
                        operation -> operation
                                .operationId("importZip")
                                .tag(TAG)
                                .summary("Import functions from a zip archive")
                                .description("Accepts an archive of the export, or one with folders of the same form."
                                        + " Missing settings take their defaults; functions start undeployed.")
                                .requestBody(requestBodyBuilder().required(true).content(zip()))
                                .response(responseBuilder()
                                        .responseCode("200")
                                        .description("One result per function, as from an import of JSON"))
                                .response(problem("400", "The archive is not valid; nothing was imported"))
                                .response(problem("413", "The archive is too large; nothing was imported"))
                                .response(problem("5XX", "eventing-service is not available")))
                .build();
    }

    private static org.springdoc.core.fn.builders.content.Builder zip() {
        return contentBuilder()
                .mediaType(ArchiveHandlers.ZIP.toString())
                .schema(schemaBuilder().type("string").format("binary"));
    }

    private static org.springdoc.core.fn.builders.apiresponse.Builder problem(String status, String description) {
        return responseBuilder()
                .responseCode(status)
                .description(description)
                .content(contentBuilder()
                        .mediaType(MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                        .schema(schemaBuilder().implementation(Problem.class)));
    }
}
