package io.millrace.workerprotocol;

import java.util.ArrayList;
import java.util.List;

/**
 * The events of a batch. One octet of marks, then the fields; an event in the keyspace of the one before it, which is
 * the rule, leaves the keyspace out.
 */
final class EventCodec {

    private static final int KIND = 0x03;
    private static final int BINARY = 0x04;
    private static final int XATTRS = 0x08;
    private static final int SAME_KEYSPACE = 0x10;
    private static final int OLD = 0x20;
    private static final int TRACED = 0x40;

    /** The third bit of the kind. */
    private static final int KIND_HIGH = 0x80;

    private static final Event.Kind[] KINDS = Event.Kind.values();

    private EventCodec() {}

    static void encode(List<Event> events, FrameWriter out) throws LinkException {
        out.number(events.size());
        String scope = "";
        String collection = "";
        for (Event event : events) {
            boolean same = event.scope().equals(scope) && event.collection().equals(collection);
            out.octet(marks(event, same));
            if (!same) {
                scope = event.scope();
                collection = event.collection();
                out.text(scope);
                out.text(collection);
            }
            encode(event, out);
        }
    }

    private static int marks(Event event, boolean sameKeyspace) {
        int kind = event.kind().ordinal();
        return (kind & KIND)
                | (kind > KIND ? KIND_HIGH : 0)
                | (event.binary() ? BINARY : 0)
                | (event.userXattrs() != null ? XATTRS : 0)
                | (event.old() != null ? OLD : 0)
                | (event.trace().isEmpty() ? 0 : TRACED)
                | (sameKeyspace ? SAME_KEYSPACE : 0);
    }

    private static void encode(Event event, FrameWriter out) throws LinkException {
        out.text(event.id());
        out.number(event.seqno());
        out.number(event.cas());
        out.number(event.vbucket());
        out.number(Integer.toUnsignedLong(event.flags()));
        out.number(event.expiration());
        out.number(event.hops());
        out.bytes(event.body());
        byte[] xattrs = event.userXattrs();
        if (xattrs != null) {
            out.bytes(xattrs);
        }
        byte[] old = event.old();
        if (old != null) {
            out.bytes(old);
        }
        if (!event.trace().isEmpty()) {
            out.text(event.trace());
        }
    }

    static List<Event> decode(FrameReader in) throws LinkException {
        int count = in.count();
        List<Event> events = new ArrayList<>(count);
        String scope = "";
        String collection = "";
        for (int i = 0; i < count; i++) {
            int marks = in.octet();
            if (kind(marks) >= KINDS.length) {
                throw LinkException.malformed("there is no event with marks " + marks);
            }
            if ((marks & SAME_KEYSPACE) == 0) {
                scope = in.text();
                collection = in.text();
            }
            events.add(decode(marks, scope, collection, in));
        }
        return events;
    }

    private static int kind(int marks) {
        return (marks & KIND) | ((marks & KIND_HIGH) == 0 ? 0 : KIND + 1);
    }

    private static Event decode(int marks, String scope, String collection, FrameReader in) throws LinkException {
        String id = in.text();
        long seqno = in.number();
        long cas = in.number();
        int vbucket = in.number(Event.MAX_VBUCKET);
        int flags = (int) in.number();
        long expiration = in.number();
        int hops = in.number(Integer.MAX_VALUE);
        var content = new Event.Content(
                flags,
                expiration,
                (marks & BINARY) != 0,
                in.bytes(),
                (marks & XATTRS) != 0 ? in.bytes() : null,
                (marks & OLD) != 0 ? in.bytes() : null);
        String trace = (marks & TRACED) != 0 ? in.text() : "";
        return new Event(
                KINDS[kind(marks)],
                new Event.Key(scope, collection, id, vbucket),
                new Event.Version(seqno, cas, hops, trace),
                content);
    }
}
