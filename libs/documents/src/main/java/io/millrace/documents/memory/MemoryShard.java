package io.millrace.documents.memory;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.Document.State;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore.AtomicResult;
import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.documents.DocumentStore.UnlockResult;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.TransactionId;
import io.millrace.documents.VersionStamp;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One shard of a {@link MemoryDocumentStore}: documents, their order of change, and a future of the next change. */
final class MemoryShard {

    /** A document or tombstone with the writes that led to it, newest last. */
    private record Stored(Document document, List<Attempt> attempts) {}

    private record Attempt(TransactionId transaction, long cas, boolean created) {}

    private static final byte[] NOTHING = {};

    /** The bits of a CAS that count, below those of its time. */
    private static final long LOW_BITS = 0xffff;

    private final Map<DocumentKey, Stored> documents = new HashMap<>();
    private final NavigableMap<Long, DocumentKey> bySeqno = new TreeMap<>();
    private int clearings;
    private CompletableFuture<Void> nextChange = new CompletableFuture<>();
    private long seqno;
    private long cas;

    MemoryShard(long incarnation) {
        this.seqno = BucketInfo.firstSeqno(incarnation);
    }

    synchronized Optional<Document> find(DocumentKey key, Instant now) {
        Stored stored = documents.get(key);
        return stored == null ? Optional.empty() : Optional.of(asOf(now, stored.document));
    }

    /** A document that is due is a tombstone already. */
    private static Document asOf(Instant now, Document document) {
        return document.due(now) ? document.expired() : document;
    }

    WriteResult write(Write write, Instant now) {
        WriteResult result = decideAndStore(write, now);
        notifyReaders();
        return result;
    }

    AtomicResult writeAtomically(List<Write> writes, Instant now) {
        AtomicResult result = decideAndStoreAll(writes, now);
        notifyReaders();
        return result;
    }

    private synchronized AtomicResult decideAndStoreAll(List<Write> writes, Instant now) {
        for (Write write : writes) {
            if (repeated(write) != null) {
                return new AtomicResult.Written();
            }
        }
        for (Write write : writes) {
            Stored stored = documents.get(write.key());
            WriteResult refusal = refusal(write, stored == null ? null : asOf(now, stored.document), now);
            if (refusal != null) {
                return new AtomicResult.Refused(write.key(), refusal);
            }
        }
        writes.forEach(write -> decideAndStore(write, now));
        return new AtomicResult.Written();
    }

    /** Returns how a write ended that the document remembers, or null. */
    private @Nullable WriteResult repeated(Write write) {
        Stored stored = documents.get(write.key());
        if (stored == null) {
            return null;
        }
        for (Attempt attempt : stored.attempts) {
            if (attempt.transaction.equals(write.transaction())) {
                return new WriteResult.Written(attempt.cas, stored.document.seqno(), attempt.created, true);
            }
        }
        return null;
    }

    private synchronized WriteResult decideAndStore(Write write, Instant now) {
        WriteResult before = repeated(write);
        if (before != null) {
            return before;
        }
        Stored stored = documents.get(write.key());
        List<Attempt> attempts = stored == null ? List.of() : stored.attempts;
        Document current = stored == null ? null : asOf(now, stored.document);
        WriteResult refusal = refusal(write, current, now);
        if (refusal != null) {
            return refusal;
        }
        advance(now);
        Document next = next(write, current, cas, seqno, now);
        boolean created = next.live() && (current == null || !current.live());
        store(next, remember(attempts, new Attempt(write.transaction(), next.cas(), created)));
        return new WriteResult.Written(next.cas(), next.seqno(), created, false);
    }

    private static @Nullable WriteResult refusal(Write write, @Nullable Document current, Instant now) {
        boolean live = current != null && current.live();
        long cas = current == null ? 0 : current.cas();
        return switch (write.kind()) {
            case INSERT -> live ? new WriteResult.AlreadyExists(cas) : mismatch(write, current, now);
            case UPSERT -> mismatch(write, current, now);
            case TOMBSTONE -> live ? new WriteResult.AlreadyExists(cas) : mismatch(write, current, now);
            case REPLACE, REMOVE -> live ? mismatch(write, current, now) : new WriteResult.NotFound();
        };
    }

    private static @Nullable WriteResult mismatch(Write write, @Nullable Document current, Instant now) {
        long cas = current == null ? 0 : current.cas();
        long expected = write.expectedCas();
        if (current != null
                && current.lock() != null
                && expected == current.lock().cas()) {
            return null;
        }
        if (current != null && current.locked(now)) {
            return new WriteResult.Locked(cas);
        }
        boolean matches = expected == 0 || (expected == Write.NEVER_WRITTEN ? current == null : expected == cas);
        return matches ? null : new WriteResult.CasMismatch(cas);
    }

    synchronized LockResult lock(DocumentKey key, Instant until, Instant now) {
        Stored stored = documents.get(key);
        if (stored == null || !asOf(now, stored.document).live()) {
            return new LockResult.NotFound();
        }
        if (stored.document.locked(now)) {
            return new LockResult.Taken();
        }
        Document.Lock lock = new Document.Lock(Document.Lock.newCas(), until.truncatedTo(ChronoUnit.MILLIS));
        Document locked = stored.document.withLock(lock);
        documents.put(key, new Stored(locked, stored.attempts));
        return new LockResult.Granted(locked, lock.cas());
    }

    synchronized UnlockResult unlock(DocumentKey key, long lockCas, Instant now) {
        Stored stored = documents.get(key);
        if (stored == null || !asOf(now, stored.document).live()) {
            return UnlockResult.NOT_FOUND;
        }
        Document.Lock lock = stored.document.lock();
        if (lock == null || !stored.document.locked(now)) {
            return UnlockResult.NOT_LOCKED;
        }
        if (lock.cas() != lockCas) {
            return UnlockResult.TAKEN;
        }
        documents.put(key, new Stored(stored.document.withLock(null), stored.attempts));
        return UnlockResult.UNLOCKED;
    }

    private static Document next(Write write, @Nullable Document current, long cas, long seqno, Instant now) {
        Document former = current != null ? current : blank(write);
        boolean removes = write.kind() == Write.Kind.REMOVE;
        boolean ends = removes || write.kind() == Write.Kind.TOMBSTONE;
        byte[] body = ends ? NOTHING : stamped(write, VersionStamp.Part.BODY, write.body(), cas, seqno);
        byte[] user = stamped(write, VersionStamp.Part.USER_XATTRS, write.userXattrs(), cas, seqno);
        byte[] system = stamped(write, VersionStamp.Part.SYSTEM_XATTRS, write.systemXattrs(), cas, seqno);
        return new Document(
                write.key(),
                cas,
                seqno,
                ends ? State.DELETED : State.LIVE,
                body == null ? former.body() : body,
                ends ? Datatype.JSON : body == null ? former.datatype() : write.datatype(),
                ends ? 0 : body == null ? former.flags() : write.flags(),
                ends ? null : expiry(write.expiry(), former),
                merge(user, removes || !ends && !former.live() ? null : former.userXattrs()),
                merge(system, former.systemXattrs()),
                write.origin(),
                former.revision() + 1,
                now.truncatedTo(ChronoUnit.SECONDS),
                null);
    }

    private static byte @Nullable [] stamped(
            Write write, VersionStamp.Part part, byte @Nullable [] given, long cas, long seqno) {
        byte[] bytes = given;
        for (VersionStamp stamp : write.stamps()) {
            if (bytes != null && stamp.part() == part) {
                bytes = bytes == given ? bytes.clone() : bytes;
                byte[] text = stamp.text(cas, seqno).getBytes(StandardCharsets.US_ASCII);
                System.arraycopy(text, 0, bytes, stamp.offset(), text.length);
            }
        }
        return bytes;
    }

    /** What a write finds where there has never been a document. */
    private static Document blank(Write write) {
        return new Document(
                write.key(), 0, State.DELETED, new byte[0], write.datatype(), write.flags(), null, null, null, null);
    }

    /** Extended attributes: null leaves, an empty array drops. */
    private static byte @Nullable [] merge(byte @Nullable [] given, byte @Nullable [] current) {
        return given == null ? current : given.length == 0 ? null : given;
    }

    private static @Nullable Instant expiry(Expiry expiry, Document former) {
        return switch (expiry) {
            case Expiry.Never never -> null;
            case Expiry.Preserve(Instant otherwise) -> former.live() ? former.expiry() : seconds(otherwise);
            case Expiry.At at -> seconds(at.time());
        };
    }

    private static @Nullable Instant seconds(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS);
    }

    private static List<Attempt> remember(List<Attempt> attempts, Attempt newest) {
        List<Attempt> all = new ArrayList<>(attempts);
        all.add(newest);
        return all.subList(Math.max(0, all.size() - Limits.REMEMBERED_TRANSACTIONS), all.size());
    }

    private void store(Document document, List<Attempt> attempts) {
        Stored former = documents.put(document.key(), new Stored(document, List.copyOf(attempts)));
        if (former != null) {
            bySeqno.remove(former.document.seqno());
        }
        bySeqno.put(document.seqno(), document.key());
    }

    /** Takes the next seqno and CAS; both only grow. */
    private void advance(Instant now) {
        seqno++;
        long low = seqno & LOW_BITS;
        long time = Math.max(cas, time(now)) & ~LOW_BITS;
        cas = (low == 0 ? time + LOW_BITS + 1 : time) | low;
    }

    /** Returns the present by the clock of CAS, in nanoseconds since 1970. */
    synchronized long clock(Instant now) {
        return Math.max(cas, time(now));
    }

    private static long time(Instant now) {
        return ChronoUnit.NANOS.between(Instant.EPOCH, now);
    }

    int expireDue(Instant now, int max) {
        int expired = expire(now, max);
        notifyReaders();
        return expired;
    }

    private synchronized int expire(Instant now, int max) {
        List<Stored> due = documents.values().stream()
                .filter(stored -> stored.document.due(now))
                .limit(max)
                .toList();
        for (Stored stored : due) {
            Document document = stored.document;
            advance(now);
            store(
                    document.expired(cas, seqno, document.revision() + 1, now.truncatedTo(ChronoUnit.SECONDS)),
                    stored.attempts);
        }
        return due.size();
    }

    /** Forgets all documents. */
    synchronized void clear() {
        retain(keyspace -> false);
        clearings++;
    }

    /** Returns how often all documents were forgotten. */
    synchronized int clearings() {
        return clearings;
    }

    /** Forgets the documents of dropped collections. */
    synchronized void retain(Predicate<Keyspace> keyspaces) {
        documents.keySet().removeIf(key -> !keyspaces.test(key.keyspace()));
        bySeqno.values().removeIf(key -> !keyspaces.test(key.keyspace()));
    }

    synchronized List<Mutation> after(long since, int max) {
        return bySeqno.tailMap(since, false).entrySet().stream()
                .limit(max)
                .map(entry -> new Mutation(entry.getKey(), stored(entry.getValue()).document))
                .toList();
    }

    synchronized ChangePage page(ChangePage.Request request) {
        NavigableMap<Long, DocumentKey> rows = request.newestFirst()
                ? bySeqno.headMap(request.from(), false).descendingMap()
                : bySeqno.tailMap(request.from(), false);
        List<Mutation> page = rows.entrySet().stream()
                .limit(request.max())
                .map(entry -> new Mutation(entry.getKey(), stored(entry.getValue()).document))
                .toList();
        long position = page.isEmpty() ? request.from() : page.getLast().seqno();
        return new ChangePage(page, position, rows.size() > page.size());
    }

    private Stored stored(DocumentKey key) {
        Stored stored = documents.get(key);
        if (stored == null) {
            throw new IllegalStateException("by_seqno names a document that is not there: " + key);
        }
        return stored;
    }

    synchronized long highSeqno() {
        return seqno;
    }

    synchronized long backlog(long since) {
        return bySeqno.tailMap(since, false).size();
    }

    synchronized long count(Keyspace keyspace) {
        return documents.values().stream()
                .map(Stored::document)
                .filter(document -> document.live() && document.key().keyspace().equals(keyspace))
                .count();
    }

    synchronized List<String> ids(Keyspace keyspace) {
        return documents.values().stream()
                .map(Stored::document)
                .filter(document -> document.live() && document.key().keyspace().equals(keyspace))
                .map(document -> document.key().id())
                .toList();
    }

    /** Returns a future that completes at the next change. */
    synchronized CompletableFuture<Void> nextChange() {
        return nextChange;
    }

    @SuppressWarnings("NullAway") // the null that a CompletableFuture<Void> holds
    void notifyReaders() {
        CompletableFuture<Void> change;
        synchronized (this) {
            change = nextChange;
            nextChange = new CompletableFuture<>();
        }
        change.complete(null);
    }
}
