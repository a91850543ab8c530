package io.millrace.streams;

import io.millrace.streams.store.TimelineEvent;
import io.millrace.streams.store.Token;
import java.util.List;

/** How an append ended. */
public sealed interface AppendResult {

    /** The events have been appended; the stream now has this version. */
    record Appended(Token token) implements AppendResult {}

    /** The stream is elsewhere; {@code events} are what it has from the expected version on. */
    record Conflict(Token token, List<TimelineEvent> events) implements AppendResult {}

    /** The stream is elsewhere, and only a read can tell what it has. */
    record ConflictUnknown(Token token) implements AppendResult {}
}
