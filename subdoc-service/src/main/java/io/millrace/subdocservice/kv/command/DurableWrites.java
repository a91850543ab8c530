package io.millrace.subdocservice.kv.command;

import io.millrace.memcached.Durability;
import java.util.concurrent.CompletableFuture;

/** Waits for the durability that clients request. Thread-safe; no call blocks. */
public interface DurableWrites {

    /** Completes when a write may start; fails with {@link CommandException} if its durability is impossible. */
    CompletableFuture<Void> admit(Durability level);

    /**
     * Completes when all writes made before are as durable as requested; fails with {@link CommandException} on a timeout.
     */
    CompletableFuture<Void> reach(Durability level);
}
