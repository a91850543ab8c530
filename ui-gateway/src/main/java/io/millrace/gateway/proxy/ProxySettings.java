package io.millrace.gateway.proxy;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of the way to the services.
 *
 * @param connectTimeout how long a service may take to accept a connection
 * @param answerTimeout how long a service may take to begin its answer after the latest piece of the request; longer than a
 *     query may run that does not say how long (75 s), so that the query service tells of its end itself
 * @param idleTimeout how long an answer may pause once it has begun; event streams may pause for ever
 * @param maxConnections how many connections to one service there are at most
 * @param openApiBytes the largest OpenAPI document in bytes
 */
@ConfigurationProperties("millrace.gateway")
record ProxySettings(
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("90s") Duration answerTimeout,
        @DefaultValue("5m") Duration idleTimeout,
        @DefaultValue("1000") int maxConnections,
        @DefaultValue("4194304") int openApiBytes) {}
