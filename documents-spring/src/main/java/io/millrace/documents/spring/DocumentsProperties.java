package io.millrace.documents.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param expiryInterval how long the expiry pager waits between two looks for documents that are due
 * @param commandTimeout how long an answer of Redis may take until a call fails as unavailable
 */
@ConfigurationProperties("millrace.documents")
record DocumentsProperties(
        @DefaultValue("1s") Duration expiryInterval,
        @DefaultValue("10s") Duration commandTimeout) {}
