package io.millrace.eventing.delivery;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.Mutation;
import io.millrace.documents.Origin;
import io.millrace.traces.TraceContext;
import io.millrace.workerprotocol.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Converts mutations of the feed to events of the worker protocol. */
final class Events {

    private Events() {}

    static Event of(Mutation mutation, int vbucket) {
        return of(mutation.document(), mutation.seqno(), vbucket);
    }

    /** Returns the state of a document as the change with this seqno. */
    static Event of(Document document, long seqno, int vbucket) {
        Instant expiry = document.expiry();
        Origin origin = document.origin();
        return new Event(
                switch (document.state()) {
                    case LIVE -> Event.Kind.MUTATION;
                    case DELETED -> Event.Kind.DELETION;
                    case EXPIRED -> Event.Kind.EXPIRATION;
                },
                new Event.Key(
                        document.key().keyspace().scope(),
                        document.key().keyspace().collection(),
                        document.key().id(),
                        vbucket),
                new Event.Version(seqno, document.cas(), origin == null ? 0 : origin.hops(), trace(origin)),
                new Event.Content(
                        document.flags(),
                        expiry == null ? 0 : expiry.getEpochSecond(),
                        document.datatype() == Datatype.BINARY,
                        document.body(),
                        document.userXattrs(),
                        null));
    }

    private static String trace(@Nullable Origin origin) {
        TraceContext trace = origin == null ? null : origin.trace();
        return trace == null ? "" : trace.text();
    }
}
