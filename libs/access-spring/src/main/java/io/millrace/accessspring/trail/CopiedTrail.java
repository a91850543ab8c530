package io.millrace.accessspring.trail;

import io.millrace.audit.Audit;
import io.millrace.audit.AuditEvent;
import io.millrace.audit.BoundedRefusals;
import io.millrace.audit.StreamCopy;
import java.util.concurrent.CompletableFuture;

/** A trail, and what copies its file to the stream. */
public record CopiedTrail(BoundedRefusals trail, StreamCopy copy) implements Audit, AutoCloseable {

    @Override
    public CompletableFuture<Void> record(AuditEvent event) {
        return trail.record(event);
    }

    @Override
    public void close() {
        trail.close();
        copy.close();
    }
}
