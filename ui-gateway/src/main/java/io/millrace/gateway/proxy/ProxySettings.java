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
 * @param minInFlight the requests to one service that are always let through at the same time, however slow it is
 * @param maxInFlight the most requests to one service at the same time; feeds do not count
 * @param maxFeeds the most open feeds to one service: watches, followed logs and waiting _changes
 * @param maxFeedsPerClient the most open feeds of one client to one service
 * @param tlsCa the file with the authority that signed the certificates of the services; blank for those that Java trusts
 * @param openApiBytes the largest OpenAPI document in bytes
 */
@ConfigurationProperties("millrace.gateway")
record ProxySettings(
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("90s") Duration answerTimeout,
        @DefaultValue("5m") Duration idleTimeout,
        @DefaultValue("32") int minInFlight,
        @DefaultValue("512") int maxInFlight,
        @DefaultValue("4000") int maxFeeds,
        @DefaultValue("500") int maxFeedsPerClient,
        @DefaultValue("") String tlsCa,
        @DefaultValue("4194304") int openApiBytes) {}
