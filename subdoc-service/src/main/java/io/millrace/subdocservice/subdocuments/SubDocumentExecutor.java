package io.millrace.subdocservice.subdocuments;

import io.github.resilience4j.core.IntervalFunction;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Expiry;
import io.millrace.documents.Origin;
import io.millrace.documents.TransactionId;
import io.millrace.documents.WriteResult;
import io.millrace.subdoc.Change;
import io.millrace.subdoc.Commands;
import io.millrace.subdoc.Outcome;
import io.millrace.subdoc.Outcome.PathResult;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Request.DocFlag;
import io.millrace.subdoc.Snapshot;
import io.millrace.subdoc.Spec;
import io.millrace.subdoc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs sub-document requests on stored documents. Thread-safe; no call blocks.
 *
 * <p>Mutations of one document in one process run one after the other. After a conflict with a writer in another process, a
 * mutation reads the document again and retries, up to {@link SubDocumentLimits#MAX_ATTEMPTS} times; a mutation with a CAS
 * then reports the mismatch. An error of a request or a path is a {@link Status}; futures fail with {@link
 * DocumentsException} only.
 */
public final class SubDocumentExecutor {

    private static final double SPREAD = 0.9;
    private static final IntervalFunction PAUSES = IntervalFunction.ofExponentialRandomBackoff(
            SubDocumentLimits.FIRST_PAUSE, 2, SPREAD, SubDocumentLimits.LONGEST_PAUSE);

    /** The conflict with the longest pause: after a further one the interval function would return the limit itself. */
    private static final int LONGEST_PAUSE_CONFLICT = 4;

    private final DocumentStore store;
    private final InstantSource clock;
    private final PerDocumentQueue turns = new PerDocumentQueue(SubDocumentLimits.MAX_WAITING_MUTATIONS);

    public SubDocumentExecutor(DocumentStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Runs a look-up, or a mutation with {@link WriteOptions#defaults}. */
    public CompletableFuture<ExecutionResult> execute(DocumentKey key, Request request) {
        return execute(key, request, WriteOptions.defaults());
    }

    /** Runs a request; a look-up ignores the options. */
    public CompletableFuture<ExecutionResult> execute(DocumentKey key, Request request, WriteOptions options) {
        Status refused = Commands.check(request);
        if (refused != Status.SUCCESS) {
            return CompletableFuture.completedFuture(ExecutionResult.refused(refused, 0));
        }
        if (!request.mutation()) {
            return read(key, request).thenApply(found -> found.lookUp(request));
        }
        return turns.take(key, () -> mutateOnce(key, request, options))
                .orElseGet(() -> CompletableFuture.completedFuture(ExecutionResult.refused(Status.ETMPFAIL, 0)));
    }

    /** A document as it was read. */
    private record Found(@Nullable Document document, Snapshot snapshot, boolean locked) {

        ExecutionResult lookUp(Request request) {
            Outcome outcome = Commands.run(request, snapshot);
            boolean seen = outcome.status() != Status.KEY_ENOENT;
            return executed(outcome, seen ? cas() : 0, seen ? snapshot.meta().seqno() : 0, locked);
        }

        long cas() {
            return snapshot.meta().cas();
        }

        /** Returns whether the CAS of the request is that of the lock, even of an expired one. */
        boolean unlockedBy(Request request) {
            return document != null
                    && document.lock() != null
                    && document.lock().cas() == request.cas();
        }
    }

    private static ExecutionResult executed(Outcome outcome, long cas, long seqno, boolean locked) {
        return new ExecutionResult(outcome.status(), outcome.results(), cas, seqno, locked, false);
    }

    private CompletableFuture<Found> read(DocumentKey key, Request request) {
        CompletableFuture<Long> uuid = mentions(request, "$document")
                ? store.catalog()
                        .find(key.keyspace().bucket())
                        .thenApply(bucket -> bucket.map((BucketInfo info) -> info.vbucketUuid(key.vbucket()))
                                .orElse(0L))
                : CompletableFuture.completedFuture(0L);
        CompletableFuture<Optional<Document>> reading = store.getWithTombstone(key);
        CompletableFuture<Instant> time =
                mentions(request, "$vbucket") ? store.time(key) : CompletableFuture.completedFuture(Instant.EPOCH);
        return uuid.thenCompose(vbucketUuid -> reading.thenCombine(time, (document, now) -> {
            Document found = document.orElse(null);
            return new Found(
                    found,
                    Conversions.snapshot(found, vbucketUuid, now),
                    found != null && found.locked(clock.instant()));
        }));
    }

    /**
     * Returns whether a request names a virtual attribute, whose content costs a call: {@code $document} shows the UUID of
     * the history, {@code $vbucket} the clock of the store.
     */
    private static boolean mentions(Request request, String attribute) {
        for (Spec spec : request.specs()) {
            if (spec.xattr() && (mentions(spec.path(), attribute) || mentions(spec.value(), attribute))) {
                return true;
            }
        }
        return false;
    }

    private static boolean mentions(byte[] text, String attribute) {
        return text.length <= 1024 && new String(text, StandardCharsets.UTF_8).contains(attribute);
    }

    private CompletableFuture<ExecutionResult> mutateOnce(DocumentKey key, Request request, WriteOptions options) {
        TransactionId transaction = options.transaction();
        if (transaction == null) {
            return mutate(key, request, options, SubDocumentLimits.MAX_ATTEMPTS);
        }
        return store.write(Conversions.question(key, transaction))
                .thenCompose(result -> result instanceof WriteResult.Written before
                        ? CompletableFuture.completedFuture(ExecutionResult.repeated(before))
                        : mutate(key, request, options, SubDocumentLimits.MAX_ATTEMPTS));
    }

    private CompletableFuture<ExecutionResult> mutate(
            DocumentKey key, Request request, WriteOptions options, int attempts) {
        if (attempts == 0) {
            return CompletableFuture.completedFuture(ExecutionResult.refused(Status.ETMPFAIL, 0));
        }
        return read(key, request).thenCompose(found -> {
            boolean holder = found.unlockedBy(request);
            if (found.locked() && !holder) {
                return CompletableFuture.completedFuture(ExecutionResult.refused(Status.LOCKED, 0));
            }
            Outcome outcome = Commands.run(holder ? request.withCas(found.cas()) : request, found.snapshot());
            Change change = outcome.change();
            if (change == null) {
                long cas = outcome.status() == Status.KEY_EEXISTS ? found.cas() : 0;
                return CompletableFuture.completedFuture(executed(outcome, cas, 0, false));
            }
            long expected = holder ? request.cas() : found.cas();
            return store.write(Conversions.write(key, found.document(), change, options, expected))
                    .thenCompose(result -> {
                        if (result instanceof WriteResult.Written written) {
                            return CompletableFuture.completedFuture(
                                    written.repeated() && options.transaction() != null
                                            ? ExecutionResult.repeated(written)
                                            : executed(outcome, written.cas(), written.seqno(), false));
                        }
                        return (request.docFlags() & DocFlag.ADD) != 0
                                ? CompletableFuture.completedFuture(ExecutionResult.refused(Status.NOT_STORED, 0))
                                : pause(attempts).thenCompose(paused -> mutate(key, request, options, attempts - 1));
                    });
        });
    }

    /**
     * Waits for a random time. Two processes that read and write at the same pace would otherwise conflict every time, and
     * the same one would always lose.
     */
    private static CompletableFuture<Void> pause(int attempts) {
        int lost = SubDocumentLimits.MAX_ATTEMPTS - attempts;
        if (lost == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(pauseMillis(lost), TimeUnit.MILLISECONDS));
    }

    /** Returns a random pause after so many conflicts, the first of which has none. */
    static long pauseMillis(int conflicts) {
        return PAUSES.apply(Math.min(conflicts, LONGEST_PAUSE_CONFLICT));
    }

    /**
     * What a mutation changes in addition to its operations. Immutable; each {@code with} method returns a changed copy.
     *
     * @param flags the client's 32 bits, or null to keep them (0 for a new document)
     * @param transaction makes it safe to repeat the request after its response was lost: a repetition changes nothing. Costs
     *     one more call of the store; null if the request is never repeated
     */
    public record WriteOptions(
            Expiry expiry,
            @Nullable Integer flags,
            @Nullable TransactionId transaction,
            @Nullable Origin origin) {

        /** Returns options that remove an expiry set before, as Couchbase does. */
        public static WriteOptions defaults() {
            return new WriteOptions(Expiry.NEVER, null, null, null);
        }

        public WriteOptions withExpiry(Expiry when) {
            return new WriteOptions(when, flags, transaction, origin);
        }

        public WriteOptions withFlags(@Nullable Integer bits) {
            return new WriteOptions(expiry, bits, transaction, origin);
        }

        public WriteOptions withTransaction(@Nullable TransactionId id) {
            return new WriteOptions(expiry, flags, id, origin);
        }

        public WriteOptions withOrigin(@Nullable Origin from) {
            return new WriteOptions(expiry, flags, transaction, from);
        }
    }

    /**
     * The result of a request after its changes are stored.
     *
     * @param results as in {@link Outcome#results}
     * @param cas the version of the document: the new one after a mutation, the current one after a look-up or a CAS
     *     mismatch; 0 if unknown
     * @param seqno the position of that version in the feed; 0 if unknown
     * @param locked whether a document that was looked up is locked
     * @param repeated whether the transaction was known: nothing was changed again, and there are no results
     */
    public record ExecutionResult(
            Status status, List<PathResult> results, long cas, long seqno, boolean locked, boolean repeated) {

        /** Returns why nothing was changed, "" if something was. */
        public String problem() {
            return status.success()
                    ? ""
                    : status.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        /** Nothing was done; the version is 0 if unknown. */
        public static ExecutionResult refused(Status status, long cas) {
            return new ExecutionResult(status, List.of(), cas, 0, false, false);
        }

        /** An earlier request with the same transaction did the mutation. */
        static ExecutionResult repeated(WriteResult.Written before) {
            return new ExecutionResult(Status.SUCCESS, List.of(), before.cas(), before.seqno(), false, true);
        }
    }
}
