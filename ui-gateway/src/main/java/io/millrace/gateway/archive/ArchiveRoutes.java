package io.millrace.gateway.archive;

import static org.springdoc.core.fn.builders.apiresponse.Builder.responseBuilder;
import static org.springdoc.core.fn.builders.content.Builder.contentBuilder;
import static org.springdoc.core.fn.builders.parameter.Builder.parameterBuilder;
import static org.springdoc.core.fn.builders.requestbody.Builder.requestBodyBuilder;

import io.swagger.v3.oas.annotations.enums.ParameterIn;
import org.springdoc.webflux.core.fn.SpringdocRouteBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Takes requests for archives out of those that go to eventing-service. */
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
                                .description("A folder per function with handler.js, deployment.json and settings.json."
                                        + " Without format=zip and without Accept: application/zip the answer is"
                                        + " the JSON of eventing-service.")
                                .parameter(parameterBuilder()
                                        .in(ParameterIn.QUERY)
                                        .name("format")
                                        .example("zip")
                                        .description("zip for an archive"))
                                .response(responseBuilder()
                                        .responseCode("200")
                                        .description("The archive")
                                        .content(contentBuilder().mediaType("application/zip"))))
                .POST(
                        "/api/v1/import",
                        ArchiveHandlers::bringsZip,
                        handlers::importZip,
                        operation -> operation
                                .operationId("importZip")
                                .tag(TAG)
                                .summary("Import functions from a zip archive")
                                .description("Takes what the export gives, or folders put together by hand. Settings"
                                        + " that are missing take their defaults; functions start undeployed.")
                                .requestBody(requestBodyBuilder()
                                        .required(true)
                                        .content(contentBuilder().mediaType("application/zip")))
                                .response(responseBuilder()
                                        .responseCode("200")
                                        .description("One result per function, as from an import of JSON"))
                                .response(responseBuilder()
                                        .responseCode("400")
                                        .description("The archive is not as it should be; nothing was imported"))
                                .response(responseBuilder()
                                        .responseCode("413")
                                        .description("The archive is too large; nothing was imported")))
                .build();
    }
}
