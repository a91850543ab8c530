package io.millrace.documents.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How a service uses the document store.
 *
 * @param expiryPager whether this process removes documents that are due; any number of processes may
 * @param expiryInterval how long the expiry pager waits between two looks for documents that are due; where
 *     none were due lately it looks once in five times
 * @param commandTimeout how long an answer of Redis may take until a call fails as unavailable, unless
 *     {@code spring.data.redis.timeout} says it
 * @param requestQueueSize how many commands may wait for an answer; further ones fail as unavailable
 */
@ConfigurationProperties("millrace.documents")
record DocumentsProperties(
        @DefaultValue("true") boolean expiryPager,
        @DefaultValue("1s") Duration expiryInterval,
        @DefaultValue("10s") Duration commandTimeout,
        @DefaultValue("262144") int requestQueueSize) {}
