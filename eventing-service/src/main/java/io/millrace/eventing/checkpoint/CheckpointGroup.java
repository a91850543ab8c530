package io.millrace.eventing.checkpoint;

import java.util.Objects;

/** Names the checkpoints of one function: the bucket that keeps its metadata, and its function id. */
public record CheckpointGroup(String metadataBucket, String functionId) {

    public CheckpointGroup {
        Objects.requireNonNull(metadataBucket, "metadataBucket");
        Objects.requireNonNull(functionId, "functionId");
    }
}
