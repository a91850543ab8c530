package io.millrace.subdocservice.rest;

import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * An endpoint of the API.
 *
 * @param pattern the path with variables in braces
 */
record Route(HttpMethod method, String pattern, HandlerFunction<ServerResponse> handler) {}
