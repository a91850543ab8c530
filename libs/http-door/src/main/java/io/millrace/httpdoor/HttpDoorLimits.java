package io.millrace.httpdoor;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of the HTTP connections of a service.
 *
 * @param headerTimeout how long a client may take from the first byte of a request to the end of its header
 * @param bodyTimeout how long a client may pause within a body that the service waits for
 * @param idleTimeout how long a connection may stay open without a request
 * @param maxConnections the most open connections; one address may have half of them
 */
@ConfigurationProperties("millrace.http")
record HttpDoorLimits(
        @DefaultValue("10s") Duration headerTimeout,
        @DefaultValue("30s") Duration bodyTimeout,
        @DefaultValue("75s") Duration idleTimeout,
        @DefaultValue("10000") int maxConnections) {}
