package io.millrace.gateway.proxy;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of requests to the services.
 *
 * @param connectTimeout how long a service may take to accept a connection
 * @param answerTimeout how long a service may take to begin its response after the latest piece of the request; longer than
 *     the default time limit of a query (75 s), so that the query service reports that limit itself
 * @param idleTimeout how long a response may pause once it has begun; event streams may pause without limit
 * @param maxConnections the most connections to one service
 * @param openApiBytes the largest OpenAPI document in bytes
 */
@ConfigurationProperties("millrace.gateway")
record ProxySettings(
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("90s") Duration answerTimeout,
        @DefaultValue("5m") Duration idleTimeout,
        @DefaultValue("1000") int maxConnections,
        @DefaultValue("4194304") int openApiBytes) {}
