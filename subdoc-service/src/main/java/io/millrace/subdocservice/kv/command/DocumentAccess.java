package io.millrace.subdocservice.kv.command;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.memcached.Durability;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.redis.RedisFailure;
import io.millrace.subdocservice.traces.Client;
import io.millrace.subdocservice.traces.WriteTraces;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store as the commands on documents use it, and the responses to its results. */
final class DocumentAccess {

    /** The CAS that a locked document shows; only the holder of the lock knows the real one. */
    static final long LOCKED_CAS = -1;

    /** A CAS that no document has; replaces one that the store could not compare. */
    private static final long UNUSED_CAS = Long.MAX_VALUE;

    final DocumentStore store;
    private final InstantSource clock;
    private final DurableWrites durable;
    private final WriteTraces traces;
    private final Function<Write, CompletableFuture<WriteResult>> writing;

    DocumentAccess(DocumentStore store, InstantSource clock, DurableWrites durable, WriteTraces traces) {
        this.store = store;
        this.clock = clock;
        this.durable = durable;
        this.traces = traces;
        this.writing = store::write;
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns the expected CAS of a request for the store. */
    static long expected(Request request) {
        return request.cas() < 0 ? UNUSED_CAS : request.cas();
    }

    /** Returns the CAS for clients. */
    long visibleCas(Document document) {
        return document.locked(now()) ? LOCKED_CAS : document.cas();
    }

    /** Returns the datatype of a body: JSON if it is valid JSON. */
    static Datatype datatype(byte[] body) {
        try {
            JsonCursor.check(body);
            return Datatype.JSON;
        } catch (MalformedJson e) {
            return Datatype.BINARY;
        }
    }

    /** Reads a live document; responds with {@code KEY_ENOENT} if there is none. */
    CompletableFuture<Response> read(DocumentKey key, Function<Document, Response> found) {
        return store.get(key).thenApply(document -> document.map(found).orElse(Response.of(Status.KEY_ENOENT)));
    }

    /** Does a write that does not depend on the present document. */
    CompletableFuture<Response> write(Session session, Request request, Write write) {
        BucketInfo bucket = session.bucket();
        Status locked = session.locked();
        Success success = success(session, bucket, write.key());
        Supplier<Client> client = client(session, request);
        Durability level = request.frameExtras().durability();
        return durably(level, () -> put(client, write)).thenApply(result -> answer(result, locked, success));
    }

    /** Does a write, and follows it if it is one that is followed. */
    CompletableFuture<WriteResult> put(Supplier<Client> client, Write write) {
        return traces.write(write, Optional.empty(), client, writing);
    }

    /** Does work that changes a document, and follows it if it is one that is followed. */
    <T> CompletableFuture<T> follow(
            Supplier<Client> client,
            DocumentKey key,
            Function<@Nullable Origin, CompletableFuture<T>> work,
            Function<T, String> problem) {
        return traces.follow(key, Optional.empty(), client, work, problem);
    }

    /** Returns who sends a request; to be called before the request waits for anything. */
    static Supplier<Client> client(Session session, Request request) {
        String user = session.user();
        return () -> new Client(
                "kv",
                String.valueOf(request.opcode()),
                session.peer() + "#" + Integer.toUnsignedString(request.head().opaque()),
                user == null ? "anonymous" : user);
    }

    /** An attempt of a change that reads the document first. */
    interface Attempt {
        /** Returns the response, or null after a conflict with another writer. */
        CompletableFuture<@Nullable Response> make();
    }

    /** Repeats attempts until one does not conflict. */
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
                    : CompletableFuture.completedFuture(
                            Response.error(Status.ETMPFAIL, "Every attempt conflicted with another writer; try again"));
        });
    }

    /** Does a write and waits for the requested durability. */
    CompletableFuture<WriteResult> durably(@Nullable Durability level, Supplier<CompletableFuture<WriteResult>> write) {
        return durably(level, write, WriteResult.Written.class::isInstance);
    }

    /** Does any work and waits for the requested durability if the result is a write. */
    <T> CompletableFuture<T> durably(
            @Nullable Durability level, Supplier<CompletableFuture<T>> work, Predicate<T> written) {
        if (level == null) {
            return work.get();
        }
        return durable.admit(level)
                .thenCompose(admission -> work.get()
                        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(unknown(failure)))
                        .thenCompose(result -> written.test(result)
                                ? admission.reach().thenApply(reached -> result)
                                : CompletableFuture.completedFuture(result)));
    }

    /** A client would repeat a write that failed for the time being, also one that was done. */
    private static Throwable unknown(Throwable failure) {
        return RedisFailure.unwrap(failure) instanceof DocumentsException known && known.outcomeUnknown()
                ? CommandException.of(Status.SYNC_WRITE_AMBIGUOUS, String.valueOf(known.getMessage()))
                : failure;
    }

    /** Makes the response to a write that was done. */
    interface Success {
        Response of(long cas, long seqno);
    }

    static Response answer(WriteResult result, Status locked, Success success) {
        return switch (result) {
            case WriteResult.Written written -> success.of(written.cas(), written.seqno());
            case WriteResult.CasMismatch(long current) ->
                Response.of(current == 0 ? Status.KEY_ENOENT : Status.KEY_EEXISTS);
            case WriteResult.AlreadyExists exists -> Response.of(Status.KEY_EEXISTS);
            case WriteResult.Locked held -> Response.of(locked);
            case WriteResult.NotFound none -> Response.of(Status.KEY_ENOENT);
        };
    }

    /** Returns the response to a successful write: with a mutation token if that was negotiated. */
    static Success success(Session session, BucketInfo bucket, DocumentKey key) {
        if (!session.has(Feature.MUTATION_SEQNO)) {
            return (cas, seqno) -> Response.of(Status.SUCCESS).withCas(cas);
        }
        long history = bucket.vbucketUuid(key.vbucket());
        return (cas, seqno) -> Response.of(Status.SUCCESS).withCas(cas).withExtras(BigEndian.of(history, seqno));
    }
}
