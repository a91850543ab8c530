package io.millrace.n1ql;

import io.millrace.n1ql.runtime.Execution;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A running request. */
public final class ActiveRequest {

    private final String id;
    private final String statement;
    private final @Nullable String clientContextId;
    private final Instant begun;
    private final Execution execution;

    ActiveRequest(String id, String statement, @Nullable String clientContextId, Instant begun, Execution execution) {
        this.id = id;
        this.statement = statement;
        this.clientContextId = clientContextId;
        this.begun = begun;
        this.execution = execution;
    }

    public String id() {
        return id;
    }

    public String statement() {
        return statement;
    }

    public @Nullable String clientContextId() {
        return clientContextId;
    }

    public Instant begun() {
        return begun;
    }

    Execution execution() {
        return execution;
    }
}
