package io.millrace.subdocservice.kv.command;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.memcached.Durability;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the commands on documents share: the store, and what its answers are to clients. */
final class DocumentAccess {

    /** In place of the CAS of a locked document, which only the holder of the lock may know. */
    static final long LOCKED_CAS = -1;

    /** What no document has, in place of a CAS that the store could not even compare. */
    private static final long NOBODYS_CAS = Long.MAX_VALUE;

    final DocumentStore store;
    private final InstantSource clock;
    private final DurableWrites durable;

    DocumentAccess(DocumentStore store, InstantSource clock, DurableWrites durable) {
        this.store = store;
        this.clock = clock;
        this.durable = durable;
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns the CAS of a request as the store takes it. */
    static long expected(Request request) {
        return request.cas() < 0 ? NOBODYS_CAS : request.cas();
    }

    /** Returns the CAS that clients see. */
    long visibleCas(Document document) {
        return document.locked(now()) ? LOCKED_CAS : document.cas();
    }

    /** Returns what a body is, as far as the protocol tells things apart. */
    static Datatype datatype(byte[] body) {
        try {
            JsonCursor.check(body);
            return Datatype.JSON;
        } catch (MalformedJson e) {
            return Datatype.BINARY;
        }
    }

    /** Reads a living document; answers that there is none without asking. */
    CompletableFuture<Response> read(DocumentKey key, Function<Document, Response> found) {
        return store.get(key).thenApply(document -> document.map(found).orElse(Response.of(Status.KEY_ENOENT)));
    }

    /** Carries out the only attempt of a write that needs to know nothing. */
    CompletableFuture<Response> write(Session session, Request request, Write write) {
        BucketInfo bucket = session.bucket();
        Status locked = session.locked();
        LongFunction<Response> success = success(session, bucket, write.key());
        Durability level = request.frameExtras().durability();
        return durably(level, () -> store.write(write)).thenApply(result -> answer(result, locked, success));
    }

    /** One attempt of a change that has to read first. */
    interface Attempt {
        /** Returns the result of the write, or null to say that somebody else was faster. */
        CompletableFuture<@Nullable Response> make();
    }

    /** Makes attempts until one is not too late. */
    static CompletableFuture<Response> attempts(Attempt attempt) {
        return attempts(attempt, 1);
    }

    private static CompletableFuture<Response> attempts(Attempt attempt, int number) {
        return attempt.make().thenCompose(response -> {
            if (response != null) {
                return CompletableFuture.completedFuture(response);
            }
            return number < CommandLimits.MAX_ATTEMPTS
                    ? attempts(attempt, number + 1)
                    : CompletableFuture.completedFuture(Response.error(
                            Status.ETMPFAIL, "Others changed the document at each of the attempts to change it"));
        });
    }

    /** A write as part of a durable command: waits for the durability that was asked for. */
    CompletableFuture<WriteResult> durably(@Nullable Durability level, Supplier<CompletableFuture<WriteResult>> write) {
        return durably(level, write, WriteResult.Written.class::isInstance);
    }

    /** The same for any work, provided that it has written something. */
    <T> CompletableFuture<T> durably(
            @Nullable Durability level, Supplier<CompletableFuture<T>> work, Predicate<T> written) {
        if (level == null) {
            return work.get();
        }
        return durable.admit(level)
                .thenCompose(admitted -> work.get())
                .thenCompose(result -> written.test(result)
                        ? durable.reach(level).thenApply(reached -> result)
                        : CompletableFuture.completedFuture(result));
    }

    static Response answer(WriteResult result, Status locked, LongFunction<Response> success) {
        return switch (result) {
            case WriteResult.Written written -> success.apply(written.cas());
            case WriteResult.CasMismatch(long current) ->
                Response.of(current == 0 ? Status.KEY_ENOENT : Status.KEY_EEXISTS);
            case WriteResult.AlreadyExists exists -> Response.of(Status.KEY_EEXISTS);
            case WriteResult.Locked held -> Response.of(locked);
            case WriteResult.NotFound none -> Response.of(Status.KEY_ENOENT);
        };
    }

    /** Returns how success is told: with a mutation token for clients that want one. */
    static LongFunction<Response> success(Session session, BucketInfo bucket, DocumentKey key) {
        if (!session.has(Feature.MUTATION_SEQNO)) {
            return cas -> Response.of(Status.SUCCESS).withCas(cas);
        }
        long history = bucket.vbucketUuid(key.vbucket());
        return cas -> Response.of(Status.SUCCESS).withCas(cas).withExtras(BigEndian.of(history, cas));
    }
}
