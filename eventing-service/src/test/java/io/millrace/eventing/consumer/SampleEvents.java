package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Event;
import java.util.List;
import java.util.stream.LongStream;

/** Events for tests. */
final class SampleEvents {

    private SampleEvents() {}

    static Event event(String id, long seqno) {
        return event(id, seqno, 10);
    }

    static Event event(String id, long seqno, int bytes) {
        return new Event(
                Event.Kind.MUTATION,
                new Event.Key("_default", "_default", id, 5),
                new Event.Version(seqno, seqno, 0),
                new Event.Content(0, 0, false, new byte[bytes], null, null));
    }

    /** Returns events of documents {@code d<seqno>} with ascending seqnos. */
    static List<Event> events(long first, long last) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(seqno -> event("d" + seqno, seqno))
                .toList();
    }
}
