package io.millrace.subdocservice.kv;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the binary endpoint.
 *
 * @param port the port to listen on; 0 for any free one
 * @param maxConnections the most connections, half of them from one address; further ones are closed at once
 * @param plainOnLoopback whether connections from this machine may send passwords in plain text
 * @param loginTimeout how long a connection may take to log in before it is closed
 * @param stallTimeout how long a client may take for the rest of a request, or to read its responses, before its
 *     connection is closed
 * @param idleTimeout how long a connection that has logged in may be silent before it is closed
 * @param replicas the number of replicas that Redis should have; a majority is counted from this number or from the
 *     connected replicas, whichever is larger
 */
@ConfigurationProperties("millrace.kv")
record KvSettings(
        @DefaultValue("11210") int port,
        @DefaultValue("20000") int maxConnections,
        @DefaultValue("false") boolean plainOnLoopback,
        @DefaultValue("30s") Duration loginTimeout,
        @DefaultValue("60s") Duration stallTimeout,
        @DefaultValue("30m") Duration idleTimeout,
        @DefaultValue("0") int replicas) {}
