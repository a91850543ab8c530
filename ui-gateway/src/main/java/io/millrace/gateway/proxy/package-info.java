/**
 * Streams requests to the services, each behind a circuit breaker and time-outs, and reads their health and their OpenAPI
 * documents. Other packages of the gateway call services through {@link Upstreams}.
 */
@NullMarked
package io.millrace.gateway.proxy;

import org.jspecify.annotations.NullMarked;
