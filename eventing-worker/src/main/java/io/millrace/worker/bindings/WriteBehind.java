package io.millrace.worker.bindings;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.handler.host.HostFailure;
import io.millrace.worker.WorkerLimits;
import io.millrace.worker.report.Counters;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one thread: sent at once, answered later, repaired when the store was away. Not thread-safe; the
 * store's threads only complete futures. See {@code RATIONALE.md}, "Write-behind".
 *
 * <p>For every document the last write that was made is the last one that takes effect, however often the store fails
 * in between; and a read sees every earlier write of its thread.
 */
public final class WriteBehind {

    private final StoreQueue store;
    private final Time time;
    private final long patienceNanos;
    private final Counters counters;

    /** In the order in which they were made. */
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();

    private final Map<DocumentKey, PendingWrite> lastOfKey = new HashMap<>();
    private long pendingBytes;
    private long made;

    /** What the last answer showed because of which writes are repeated. */
    private @Nullable StoreOutage seen;

    private @Nullable StoreOutage outage;

    /** @param patience how long after it was made a write that finds the store away or full is repeated; see {@link #outage} */
    public WriteBehind(StoreQueue store, Time time, Duration patience, Counters counters) {
        this.store = store;
        this.time = time;
        this.patienceNanos = patience.toNanos();
        this.counters = counters;
    }

    /** Returns how many writes were made so far. */
    public long made() {
        return made;
    }

    /**
     * Returns what has kept a write from being carried out for longer than its patience, or null. The write then stays
     * unsettled, and nothing is settled any more: the thread must end without reporting the events that are not.
     */
    @Nullable
    public StoreOutage outage() {
        return outage;
    }

    /**
     * Returns the outage that an invocation met, or null: the store told it, or is found away now after it kept the invocation
     * waiting. To be asked for when it has failed.
     */
    @Nullable
    public StoreOutage metBy(Invocation by) {
        CompletableFuture<?> missed = by.missed();
        if (by.outage() != null || missed == null) {
            return by.outage();
        }
        while (!missed.isDone()) {
            try {
                await(missed, Long.MAX_VALUE);
            } catch (InterruptedException e) {
                // the interrupt was meant for the invocation
            }
        }
        return missed.isCompletedExceptionally() ? StoreOutage.of(thrown(missed)) : null;
    }

    /** Returns how many of the writes made first have been settled: carried out or given up. */
    public long settled() {
        Pending first = pending.peekFirst();
        return first == null ? made : first.number;
    }

    /** Returns the answer after which to settle again, or null when everything is settled. */
    @Nullable
    public CompletableFuture<?> nextAnswer() {
        Pending first = pending.peekFirst();
        Pending last = pending.peekLast();
        if (first == null || last == null) {
            return null;
        }
        return last.answer().isDone() ? first.answer() : last.answer();
    }

    /**
     * Sends a write without waiting for its answer, unless too many are outstanding. If it fails later, the invocation has failed.
     *
     * @param write leaves nothing of what writes before it did: an upsert of a body, or a deletion of any version
     * @return the first answer of the store
     * @throws StoreTimeout when the store is away and the invocation's time is up
     */
    CompletableFuture<WriteResult> write(Write write, Invocation by) throws StoreTimeout, InterruptedException {
        makeRoom(by);
        return send(write, by).answer;
    }

    /**
     * Sends a write after all earlier ones to its document, and waits until it is carried out. The caller reports its result.
     *
     * @throws DocumentsException when it never will be
     * @throws StoreTimeout when the invocation's time is up; the write may still be carried out later
     */
    WriteResult writeAndWait(Write write, Invocation by) throws StoreTimeout, InterruptedException {
        makeRoom(by);
        awaitLast(write.key(), by);
        PendingWrite sent = send(write, null);
        awaitWrite(sent, by);
        if (sent.answer.isCompletedExceptionally()) {
            throw failureOf(sent.answer);
        }
        return sent.answer.resultNow();
    }

    /**
     * Counts something as a write that its sender repeats by itself. When it fails, the invocation has failed. To be called after
     * {@link #makeRoom}.
     *
     * @param what is the subject of a sentence
     * @param toRedis whether only Redis can keep it waiting
     */
    void follow(CompletableFuture<Void> answer, String what, long bytes, boolean toRedis, Invocation by) {
        pending.addLast(new Followed(answer, what, bytes, toRedis, made++, by));
        pendingBytes += bytes;
    }

    /** Waits until every write that was made so far is carried out or given up. */
    void awaitAll(Invocation by) throws StoreTimeout, InterruptedException {
        while (!pending.isEmpty()) {
            awaitWrite(pending.getFirst(), by);
        }
    }

    /** Waits until everything that an invocation wrote so far is stored; fails if that cannot be. */
    public void store(Invocation by) throws HostFailure {
        try {
            awaitAll(by);
        } catch (StoreTimeout e) {
            throw KvErrors.timeout(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw KvErrors.timeout("The invocation was stopped");
        }
        String failure = by.writeFailure();
        if (failure != null) {
            throw HostFailure.eventingError("A write failed: " + failure);
        }
    }

    /** Reads a document after every write of this thread to it. */
    Optional<Document> read(DocumentKey key, Invocation by) throws StoreTimeout, InterruptedException {
        awaitLast(key, by);
        RepairPauses pauses = new RepairPauses();
        StoreOutage met = null;
        while (true) {
            CompletableFuture<Optional<Document>> answer = store.get(key);
            if (!await(answer, by.giveUpNanos())) {
                note(met, by);
                by.missed(answer);
                throw new StoreTimeout("The document store did not answer in time");
            }
            if (!answer.isCompletedExceptionally()) {
                return answer.resultNow();
            }
            DocumentsException failure = failureOf(answer);
            if (!failure.unavailable()) {
                throw failure;
            }
            met = StoreOutage.of(failure);
            Duration pause = pauses.next();
            if (by.giveUpNanos() - time.nanos() <= pause.toNanos()) {
                note(met, by);
                throw new StoreTimeout(String.valueOf(failure.getMessage()));
            }
            time.sleep(pause);
        }
    }

    private PendingWrite send(Write write, @Nullable Invocation by) {
        PendingWrite sent = new PendingWrite(write, by, made++, time.nanos() + patienceNanos, store.write(write));
        pending.addLast(sent);
        pendingBytes += sent.bytes();
        lastOfKey.put(write.key(), sent);
        return sent;
    }

    /** Waits until another write may be made. */
    void makeRoom(Invocation by) throws StoreTimeout, InterruptedException {
        while (pending.size() >= WorkerLimits.MAX_UNANSWERED_WRITES
                || pendingBytes > WorkerLimits.MAX_UNANSWERED_BYTES) {
            awaitWrite(pending.getFirst(), by);
        }
    }

    private void awaitLast(DocumentKey key, Invocation by) throws StoreTimeout, InterruptedException {
        PendingWrite last = lastOfKey.get(key);
        if (last != null) {
            awaitWrite(last, by);
        }
    }

    /** Waits until a write is carried out or given up. */
    private void awaitWrite(Pending write, Invocation by) throws StoreTimeout, InterruptedException {
        if (!await(write.answer(), by.giveUpNanos())) {
            if (write.toRedis()) {
                by.missed(write.answer());
            }
            throw new StoreTimeout("The document store did not answer in time");
        }
        if (!write.answer().isCompletedExceptionally()) {
            takeAnswers();
        } else if (!repair(by.giveUpNanos())) {
            note(seen, by);
            throw new StoreTimeout("The document store is away or full");
        }
    }

    /**
     * Takes the answers that have come. When one of them says that the store was away or full, waits until that has passed
     * and repeats what it missed, or until there is an {@link #outage}. Call it between invocations, before anything is sent.
     */
    public void settle() {
        while (outage == null && !takeAnswers()) {
            try {
                repair(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                // the interrupt was meant for an invocation that has ended
            }
        }
    }

    /** Takes the answers from the front that have come; false when the next one needs repair. */
    private boolean takeAnswers() {
        for (Pending first = pending.peekFirst();
                first != null && first.answer().isDone();
                first = pending.peekFirst()) {
            if (!settled(first)) {
                return false;
            }
            forget(pending.removeFirst());
        }
        return true;
    }

    /** Judges an answered write; false when it must be sent again. */
    private boolean settled(Pending one) {
        if (!one.answer().isCompletedExceptionally()) {
            return true;
        }
        DocumentsException failure = failureOf(one.answer());
        if (!(one instanceof PendingWrite write)) {
            if (one.toRedis() && givenUp(failure)) {
                return false;
            }
            one.failed("%s was not stored: %s".formatted(one, failure.getMessage()));
            return true;
        }
        if (failure.unavailable() || failure.full()) {
            PendingWrite last = lastOfKey.get(write.write.key());
            if (last != null && last != write) {
                last.replaces(write); // overwritten by the thread itself, see write(): it need not happen any more
                return true;
            }
            seen = StoreOutage.of(failure);
            if (write.giveUpNanos - time.nanos() > 0 || givenUp(failure)) {
                return false;
            }
        }
        counters.bucketException(KvErrors.of(failure).code());
        write.failed("The write of %s was not carried out: %s".formatted(write.write.key(), failure.getMessage()));
        return true;
    }

    /** Returns whether a write that has used up its patience must not be held against its invocation. */
    private boolean givenUp(DocumentsException failure) {
        StoreOutage found = StoreOutage.of(failure);
        if (found != null) {
            outage = found;
        }
        return found != null;
    }

    private void forget(Pending one) {
        pendingBytes -= one.bytes();
        if (one instanceof PendingWrite write) {
            lastOfKey.remove(write.write.key(), write);
        }
    }

    /** Repeats failed writes until all pending ones are settled; false when {@code until} comes first. */
    private boolean repair(long until) throws InterruptedException {
        seen = null;
        RepairPauses pauses = new RepairPauses();
        while (true) {
            for (Pending write : pending) {
                if (!await(write.answer(), until)) {
                    return false;
                }
            }
            for (Iterator<Pending> writes = pending.iterator(); writes.hasNext(); ) {
                Pending write = writes.next();
                if (settled(write)) {
                    forget(write);
                    writes.remove();
                }
            }
            if (pending.isEmpty()) {
                return true;
            }
            if (outage != null) {
                return false;
            }
            Duration pause = pauses.next();
            if (until != Long.MAX_VALUE && until - time.nanos() <= pause.toNanos()) {
                return false;
            }
            time.sleep(pause);
            for (Pending one : pending) {
                if (one instanceof PendingWrite write) { // as all that are left
                    counters.repaired();
                    write.answer = store.write(write.write);
                }
            }
        }
    }

    /** Waits for an answer of any kind; false when {@code until} comes first. */
    private boolean await(CompletableFuture<?> answer, long until) throws InterruptedException {
        if (answer.isDone()) {
            return true;
        }
        try {
            if (until == Long.MAX_VALUE) {
                answer.get();
            } else {
                answer.get(Math.max(until - time.nanos(), 0), TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    static void note(@Nullable StoreOutage found, Invocation by) {
        if (found != null) {
            by.met(found);
        }
    }

    private static Throwable thrown(CompletableFuture<?> answer) {
        return answer.isCancelled() ? new IllegalStateException("the answer was cancelled") : answer.exceptionNow();
    }

    private static DocumentsException failureOf(CompletableFuture<?> answer) {
        Throwable failure = thrown(answer);
        return failure instanceof DocumentsException known
                ? known
                : DocumentsException.of(DocumentsException.Code.CORRUPT, "Unexpected failure: " + failure, failure);
    }

    /** The document store kept a handler waiting for as long as it may. */
    static final class StoreTimeout extends Exception {

        private static final long serialVersionUID = 1L;

        StoreTimeout(String message) {
            super(message);
        }
    }

    /** Something between being made and being settled. */
    private abstract static sealed class Pending {

        private final long number;

        /** The invocations that fail when this fails: its own, and those of the writes that it replaces. */
        private List<Invocation> owners;

        private Pending(long number, @Nullable Invocation owner) {
            this.number = number;
            this.owners = owner == null ? List.of() : List.of(owner);
        }

        abstract CompletableFuture<?> answer();

        abstract long bytes();

        /** Returns whether only Redis can keep it waiting. */
        boolean toRedis() {
            return true;
        }

        void replaces(Pending earlier) {
            owners = new ArrayList<>(owners);
            owners.addAll(earlier.owners);
        }

        void failed(String why) {
            owners.forEach(owner -> owner.writeFailed(why));
        }
    }

    /** Something that is repeated elsewhere. */
    private static final class Followed extends Pending {

        private final CompletableFuture<Void> answer;
        private final String what;
        private final long bytes;
        private final boolean toRedis;

        private Followed(
                CompletableFuture<Void> answer,
                String what,
                long bytes,
                boolean toRedis,
                long number,
                Invocation owner) {
            super(number, owner);
            this.answer = answer;
            this.what = what;
            this.bytes = bytes;
            this.toRedis = toRedis;
        }

        @Override
        CompletableFuture<Void> answer() {
            return answer;
        }

        @Override
        long bytes() {
            return bytes;
        }

        @Override
        boolean toRedis() {
            return toRedis;
        }

        @Override
        public String toString() {
            return what;
        }
    }

    private static final class PendingWrite extends Pending {

        private final Write write;
        private final long giveUpNanos;
        private CompletableFuture<WriteResult> answer;

        private PendingWrite(
                Write write,
                @Nullable Invocation owner,
                long number,
                long giveUpNanos,
                CompletableFuture<WriteResult> answer) {
            super(number, owner);
            this.write = write;
            this.giveUpNanos = giveUpNanos;
            this.answer = answer;
        }

        @Override
        CompletableFuture<WriteResult> answer() {
            return answer;
        }

        @Override
        long bytes() {
            byte[] body = write.body();
            return body == null ? 0 : body.length;
        }
    }
}
