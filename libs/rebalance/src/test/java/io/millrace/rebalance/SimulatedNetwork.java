package io.millrace.rebalance;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Calls that take a while, and of which requests or answers may get lost. */
final class SimulatedNetwork {

    private final VirtualTime time;
    private final RandomGenerator random;
    private double loss;
    private int longestDelay = 10;

    SimulatedNetwork(VirtualTime time, RandomGenerator random) {
        this.time = time;
        this.random = random;
    }

    void quality(double lossRate, int longestDelayMillis) {
        this.loss = lossRate;
        this.longestDelay = longestDelayMillis;
    }

    /** Calls; the answer never comes when something is lost. */
    <T> void call(BooleanSupplier connected, Supplier<T> server, Consumer<T> answer) {
        if (!connected.getAsBoolean() || lost()) {
            return;
        }
        time.after(delay(), () -> {
            T result = server.get();
            if (connected.getAsBoolean() && !lost()) {
                time.after(delay(), () -> answer.accept(result));
            }
        });
    }

    private boolean lost() {
        return random.nextDouble() < loss;
    }

    /** Mostly short, now and then long. */
    private int delay() {
        return 1 + random.nextInt(random.nextInt(10) == 0 ? longestDelay : 10);
    }
}
