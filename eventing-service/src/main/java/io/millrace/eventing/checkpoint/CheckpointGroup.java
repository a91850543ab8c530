package io.millrace.eventing.checkpoint;

import java.util.Objects;

/** Identifies the checkpoints of one function by its metadata bucket and its function id. */
public record CheckpointGroup(String metadataBucket, String functionId) {

    public CheckpointGroup {
        Objects.requireNonNull(metadataBucket, "metadataBucket");
        Objects.requireNonNull(functionId, "functionId");
    }
}
