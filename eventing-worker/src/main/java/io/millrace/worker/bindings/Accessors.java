package io.millrace.worker.bindings;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.DocumentCall.DocumentAnswer;
import io.millrace.handler.host.DocumentCall.DocumentAnswer.Reason;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import io.millrace.handler.host.HostFailure;
import io.millrace.worker.bindings.WriteBehind.StoreTimeout;
import io.millrace.worker.report.Counters;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** The advanced accessors on the document store: each waits for its answer. */
final class Accessors {

    private final WriteBehind writes;
    private final DocumentCache cache;
    private final Counters counters;

    Accessors(WriteBehind writes, DocumentCache cache, Counters counters) {
        this.writes = writes;
        this.cache = cache;
        this.counters = counters;
    }

    /**
     * @param key where the call's document is
     * @param origin whose writes these are; of another instance when the function wants to see them itself
     */
    DocumentAnswer answer(DocumentCall call, DocumentKey key, Origin origin, Invocation by)
            throws HostFailure, StoreTimeout, InterruptedException {
        return switch (call.operation()) {
            case GET -> get(call, key, by);
            case LOOKUP_IN -> {
                Optional<Document> found = writes.read(key, by);
                yield found.isEmpty() ? refused(Reason.KEY_NOT_FOUND) : Paths.lookUp(call.paths(), found.get());
            }
            case INSERT -> write(call, Write.insert(key, body(call)), origin, by);
            case UPSERT -> write(call, Write.upsert(key, body(call)), origin, by);
            case REPLACE -> write(call, Write.replace(key, body(call)).withCas(call.cas()), origin, by);
            case DELETE -> write(call, Write.remove(key).withCas(call.cas()), origin, by);
            case TOUCH -> write(call, Write.touch(key, expiry(call, Expiry.NEVER)), origin, by);
            case INCREMENT, DECREMENT, MUTATE_IN -> edit(call, key, origin, by);
        };
    }

    private DocumentAnswer get(DocumentCall call, DocumentKey key, Invocation by)
            throws StoreTimeout, InterruptedException {
        if (call.cached()) {
            Document cached = cache.get(key);
            if (cached != null) {
                return found(cached);
            }
        }
        long before = cache.beforeRead();
        Optional<Document> found = writes.read(key, by);
        if (found.isEmpty()) {
            return refused(Reason.KEY_NOT_FOUND);
        }
        if (call.cached()) {
            cache.put(found.get(), before);
        }
        return found(found.get());
    }

    private static DocumentAnswer found(Document document) {
        Instant expiry = document.expiry();
        return new DocumentAnswer.Found(
                new StoredDocument(document.body(), document.datatype() == Datatype.BINARY),
                document.cas(),
                expiry == null ? 0 : expiry.getEpochSecond());
    }

    private static byte[] body(DocumentCall call) {
        return Objects.requireNonNull(call.document(), "document").body();
    }

    private static Expiry expiry(DocumentCall call, Expiry otherwise) {
        Long seconds = call.expiration();
        return seconds == null ? otherwise : seconds == 0 ? Expiry.NEVER : Expiry.at(Instant.ofEpochSecond(seconds));
    }

    private DocumentAnswer write(DocumentCall call, Write write, Origin origin, Invocation by)
            throws StoreTimeout, InterruptedException {
        Write complete = write.withOrigin(origin).withExpiry(expiry(call, Expiry.NEVER));
        StoredDocument document = call.document();
        if (document != null && document.binary()) {
            complete = complete.withDatatype(Datatype.BINARY);
        }
        return switch (send(complete, by)) {
            case WriteResult.Written written -> new DocumentAnswer.Written(written.cas());
            case WriteResult.AlreadyExists ignored -> refused(Reason.KEY_ALREADY_EXISTS);
            case WriteResult.NotFound ignored -> refused(Reason.KEY_NOT_FOUND);
            case WriteResult.CasMismatch ignored -> mismatch(write.key(), by);
            case WriteResult.Locked ignored -> mismatch(write.key(), by);
        };
    }

    private WriteResult send(Write write, Invocation by) throws StoreTimeout, InterruptedException {
        cache.invalidate(write.key());
        WriteResult result = writes.writeAndWait(write, by);
        cache.invalidate(write.key());
        if (result instanceof WriteResult.Written) {
            counters.add(write.kind() == Write.Kind.REMOVE ? Counters.DELETIONS : Counters.WRITES, 1);
        }
        return result;
    }

    /** A document that no longer exists has no version that could differ. */
    private DocumentAnswer mismatch(DocumentKey key, Invocation by) throws StoreTimeout, InterruptedException {
        if (writes.read(key, by).isEmpty()) {
            return refused(Reason.KEY_NOT_FOUND);
        }
        counters.add(Counters.CAS_MISMATCHES, 1);
        return refused(Reason.CAS_MISMATCH);
    }

    /**
     * Reads, changes and writes a document; repeats that when another writer was faster and the code gave no version.
     */
    private DocumentAnswer edit(DocumentCall call, DocumentKey key, Origin origin, Invocation by)
            throws HostFailure, StoreTimeout, InterruptedException {
        while (true) {
            Optional<Document> before = writes.read(key, by);
            if (call.cas() != 0 && before.isPresent() && before.get().cas() != call.cas()) {
                counters.add(Counters.CAS_MISMATCHES, 1);
                return refused(Reason.CAS_MISMATCH);
            }
            Paths.Edited edited = Paths.edit(call, before);
            if (edited.refused() != null) {
                return refused(edited.refused());
            }
            Write write = edited.write(key).withOrigin(origin).withExpiry(expiry(call, Expiry.PRESERVE));
            if (send(write, by) instanceof WriteResult.Written written) {
                return edited.answer(written.cas());
            }
        }
    }

    private static DocumentAnswer refused(Reason reason) {
        return new DocumentAnswer.Refused(reason);
    }
}
