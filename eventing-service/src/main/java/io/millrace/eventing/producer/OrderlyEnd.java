package io.millrace.eventing.producer;

import org.springframework.context.SmartLifecycle;

/**
 * Stops the functions of this node and ends its leases at shutdown: after everything that gives them work, and before
 * beans such as the connection to Redis are destroyed.
 */
final class OrderlyEnd implements SmartLifecycle {

    private final SuperSupervisor functions;
    private volatile boolean running;

    OrderlyEnd(SuperSupervisor functions) {
        this.functions = functions;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        functions.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** After the functions' own loops and this node's registration, before the connection to Redis. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 2;
    }
}
