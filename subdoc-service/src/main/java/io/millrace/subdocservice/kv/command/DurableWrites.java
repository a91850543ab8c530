package io.millrace.subdocservice.kv.command;

import io.millrace.memcached.Durability;
import java.util.concurrent.CompletableFuture;

/** How writes get the durability that clients ask for. Thread-safe; no call blocks. */
public interface DurableWrites {

    /** Completes when a write may begin; fails with {@link CommandException} when its durability cannot be had. */
    CompletableFuture<Void> admit(Durability level);

    /**
     * Completes when everything that has been written until now is as durable as asked for; fails with {@link CommandException} when
     * that is not known in time.
     */
    CompletableFuture<Void> reach(Durability level);
}
