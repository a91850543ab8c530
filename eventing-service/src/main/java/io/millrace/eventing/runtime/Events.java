package io.millrace.eventing.runtime;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.Origin;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.redis.RedisFailure;
import io.millrace.traces.TraceContext;
import io.millrace.workerprotocol.Event;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Converts mutations of the feed to events of the worker protocol. */
public final class Events {

    private Events() {}

    /** Returns a change as a function gets it. @param vbucket that of the document */
    public static Event of(Mutation mutation, int vbucket) {
        return of(mutation.document(), mutation.seqno(), vbucket);
    }

    /** Returns the state of a document as its latest change. */
    public static Event of(Document document) {
        return of(document, document.seqno(), document.key().vbucket());
    }

    /** Returns the state of a document as the change with this seqno. */
    private static Event of(Document document, long seqno, int vbucket) {
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

    /** Reads what a replay of a letter handles: the event, or the current state of the document. */
    public static CompletableFuture<Optional<Event>> ofLetter(
            DeadLetter letter, FunctionSpec spec, RuntimeEnvironment environment) {
        DeadLetter.Change change = letter.change();
        if (spec.source().ofKafka()) {
            return KafkaMessages.ofLetter(change, spec, environment);
        }
        if (spec.source().channel()) {
            return CompletableFuture.completedFuture(Optional.empty()); // no one has kept the message
        }
        if (spec.source().ofMessages()) {
            return environment
                    .topics()
                    .find(change.collection(), change.id())
                    .thenApply(found ->
                            found.map(entry -> TopicMessages.event(change.collection(), entry, change.vbucket())));
        }
        if (spec.source().ofEvents()) {
            return EventStreams.of(spec, environment).find(change.id(), change.cas());
        }
        Keyspace keyspace = new Keyspace(spec.source().keyspace().bucket(), change.scope(), change.collection());
        return environment
                .documents()
                .getWithTombstone(new DocumentKey(keyspace, change.id()))
                .exceptionallyCompose(Events::noneIfDropped)
                .thenApply(found -> found.map(Events::of));
    }

    private static CompletableFuture<Optional<Document>> noneIfDropped(Throwable failure) {
        boolean dropped = RedisFailure.unwrap(failure) instanceof DocumentsException e
                && (e.code() == Code.SCOPE_NOT_FOUND || e.code() == Code.COLLECTION_NOT_FOUND);
        return dropped ? CompletableFuture.completedFuture(Optional.empty()) : CompletableFuture.failedFuture(failure);
    }

    private static String trace(@Nullable Origin origin) {
        TraceContext trace = origin == null ? null : origin.trace();
        return trace == null ? "" : trace.text();
    }
}
