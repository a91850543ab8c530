package io.millrace.streams;

import io.millrace.streams.store.TimelineEvent;
import io.millrace.streams.store.Token;
import java.util.List;

/** How an append ended. */
public sealed interface AppendResult {

    /** The events have been appended; the stream now has this version. */
    record Appended(Token token) implements AppendResult {}

    /** The stream has another version; {@code events} are those from the expected version on. */
    record Conflict(Token token, List<TimelineEvent> events) implements AppendResult {}

    /** The stream has another version; its events have to be read. */
    record ConflictUnknown(Token token) implements AppendResult {}
}
