package io.millrace.subdocservice.kv.durability;

import java.time.Duration;

/** The limits of durable writes. */
final class DurabilityLimits {

    /** The longest wait for the durability of a write; also the wait when the client does not name one. */
    static final Duration MAX_DURABILITY_WAIT = Duration.ofSeconds(10);

    /** How long the answer of Redis about its replicas and its disk is used before it is asked again. */
    static final Duration CAPABILITIES_MAX_AGE = Duration.ofSeconds(1);

    private DurabilityLimits() {}
}
