package io.millrace.subdocservice.rest;

import io.swagger.v3.oas.models.Operation;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * One thing that can be asked for.
 *
 * @param pattern the path, with variables in braces
 * @param operation how OpenAPI describes it
 */
record Route(HttpMethod method, String pattern, HandlerFunction<ServerResponse> handler, Operation operation) {}
