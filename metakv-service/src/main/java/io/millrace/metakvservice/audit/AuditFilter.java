package io.millrace.metakvservice.audit;

import io.millrace.audit.AuditLine;
import io.millrace.metakv.MetakvException;
import io.millrace.streams.store.TimelineEvent;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which lines a reader wants. */
record AuditFilter(
        @Nullable String trail,
        @Nullable String user,
        @Nullable String event,
        @Nullable Instant from,
        @Nullable Instant to)
        implements Predicate<TimelineEvent> {

    static AuditFilter of(
            @Nullable String trail,
            @Nullable String user,
            @Nullable String event,
            @Nullable String from,
            @Nullable String to) {
        return new AuditFilter(trail, user, event, time("from", from), time("to", to));
    }

    private static @Nullable Instant time(String name, @Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_REQUEST,
                    name + " must be a time such as 2026-03-01T10:00:00Z, not " + text + '.');
        }
    }

    @Override
    public boolean test(TimelineEvent event) {
        return (trail == null || Trails.mark(trail).equals(event.event().meta()))
                && (from == null || !event.event().time().isBefore(from))
                && (to == null || event.event().time().isBefore(to))
                && (user == null && this.event == null
                        || matches(AuditLine.parse(event.event().data())));
    }

    private boolean matches(AuditLine line) {
        return (user == null || user.equals(line.user()))
                && (event == null || event.equals(line.name()) || event.equals(Integer.toString(line.id())));
    }
}
