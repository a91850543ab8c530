/**
 * Passes requests on to the services, streaming, each behind a circuit breaker and time-outs, and asks them for their
 * health and their OpenAPI documents. Other features of the gateway call services through {@link Upstreams}.
 */
@NullMarked
package io.millrace.gateway.proxy;

import org.jspecify.annotations.NullMarked;
