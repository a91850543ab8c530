package io.millrace.subdocservice.kv.command;

import io.millrace.memcached.Durability;
import java.util.concurrent.CompletableFuture;

/** Waits for the durability that clients request. Thread-safe; no call blocks. */
public interface DurableWrites {

    /** A write that may start. */
    interface Admission {

        /**
         * Completes when all writes made since the admission are as durable as requested; fails with {@link CommandException}
         * if that is not certain.
         */
        CompletableFuture<Void> reach();
    }

    /** Completes when a write may start; fails with {@link CommandException} if its durability is impossible. */
    CompletableFuture<Admission> admit(Durability level);
}
