package io.millrace.httpdoor;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The limits of the HTTP connections of a service, and of the bytes that all its doors hold.
 *
 * @param headerTimeout how long a client may take from the first byte of a request to the end of its header
 * @param bodyTimeout how long a client may pause within a body that the service waits for
 * @param idleTimeout how long a connection may stay open without a request
 * @param writeTimeout how long a client may take none of the bytes of a response that waits for it
 * @param maxConnections the most open connections; one address may have half of them
 * @param maxHeldBytes the most bytes of requests and responses that the service holds, see {@link ByteBudget}; 0 for a quarter
 *     of the heap; services that share a process share that quarter
 * @param roomTimeout how long a request waits for room in the budget before it is refused
 */
@ConfigurationProperties("millrace.http")
record HttpDoorLimits(
        @DefaultValue("10s") Duration headerTimeout,
        @DefaultValue("30s") Duration bodyTimeout,
        @DefaultValue("75s") Duration idleTimeout,
        @DefaultValue("30s") Duration writeTimeout,
        @DefaultValue("10000") int maxConnections,
        @DefaultValue("0") DataSize maxHeldBytes,
        @DefaultValue("2s") Duration roomTimeout) {

    private static final int PART_OF_HEAP = 4;

    long heldBytes() {
        long chosen = maxHeldBytes.toBytes() > 0
                ? maxHeldBytes.toBytes()
                : Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
        return Math.max(ByteBudgetLimits.MIN_BUDGET_BYTES, chosen);
    }
}
