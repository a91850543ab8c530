package io.millrace.timers;

import java.util.UUID;

/** Makes references for timers that were created without one. */
@FunctionalInterface
public interface References {

    /** Random ones of 32 hexadecimal digits, the same nowhere else. */
    References RANDOM = () -> {
        UUID random = UUID.randomUUID();
        return "%016x%016x".formatted(random.getMostSignificantBits(), random.getLeastSignificantBits());
    };

    String next();
}
