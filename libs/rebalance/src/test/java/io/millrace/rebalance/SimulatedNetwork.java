package io.millrace.rebalance;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A network with latency that loses requests and responses. */
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

    /** Calls a server; the response never arrives if the request or the response is lost. */
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

    /** Returns a delay: usually short, sometimes long. */
    private int delay() {
        return 1 + random.nextInt(random.nextInt(10) == 0 ? longestDelay : 10);
    }
}
