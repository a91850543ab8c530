package io.millrace.audit;

import java.util.concurrent.CompletableFuture;

/** Takes what has to be audited. Thread-safe; never blocks. */
@FunctionalInterface
public interface Audit {

    /** Takes nothing, for tests and for programs without a trail. */
    Audit NONE = event -> CompletableFuture.completedFuture(null);

    /**
     * Records an event before the act is carried out.
     *
     * @return completes when the event is on disk; fails with {@link AuditException} if it cannot be written, in which case
     *     the act must be refused
     */
    CompletableFuture<Void> record(AuditEvent event);
}
