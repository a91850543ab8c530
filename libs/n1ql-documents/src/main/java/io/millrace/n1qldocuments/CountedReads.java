package io.millrace.n1qldocuments;

import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import io.millrace.n1ql.keyspace.Fetched;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads of documents that are under way. Large documents count as soon as they are copied, because the store is about to copy
 * the next one; small ones count together.
 */
final class CountedReads {

    private final ReadRoom room;
    /** For each key, its document if it was known, else null. */
    private final List<@Nullable StoredDocument> known = new ArrayList<>();
    /** For each key, the read that is under way, or null if there is none. */
    private final List<@Nullable CompletableFuture<Optional<StoredDocument>>> reads = new ArrayList<>();

    CountedReads(ReadRoom room) {
        this.room = room;
    }

    /** Adds a small document that need not be read, or null for a key without one. */
    void add(@Nullable StoredDocument document) {
        known.add(document);
        reads.add(null);
    }

    void add(CompletableFuture<Optional<StoredDocument>> read) {
        known.add(null);
        reads.add(read.thenApply(found -> {
            found.filter(CountedReads::isLarge).ifPresent(document -> room.hold(document.body().length));
            return found;
        }));
    }

    private static boolean isLarge(StoredDocument document) {
        return document.body().length > Limits.UNASKED_READ_BYTES;
    }

    /** Returns the documents up to the first one for which there was no room. */
    CompletableFuture<Fetched> fetched() {
        CompletableFuture<?>[] pending = reads.stream().filter(Objects::nonNull).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(pending).handle((done, failure) -> result());
    }

    private Fetched result() {
        List<@Nullable StoredDocument> documents = new ArrayList<>(reads.size());
        Throwable ending = null;
        long large = 0;
        long small = 0;
        for (int i = 0; i < reads.size(); i++) {
            CompletableFuture<Optional<StoredDocument>> read = reads.get(i);
            Throwable failure = read == null ? null : failure(read);
            ending = ending == null ? failure : ending;
            StoredDocument document = read == null ? known.get(i) : failure == null ? found(read) : null;
            long bytes = document == null ? 0 : document.body().length;
            boolean counted = document != null && isLarge(document);
            if (ending == null) {
                documents.add(document);
                large += counted ? bytes : 0;
                small += counted ? 0 : bytes;
            } else if (counted) {
                room.give(bytes);
            }
        }
        return ending == null || isShortage(ending) ? counted(documents, ending, large, small) : failed(ending, large);
    }

    private Fetched counted(
            List<@Nullable StoredDocument> documents, @Nullable Throwable ending, long large, long small) {
        room.hold(small);
        return Fetched.counted(
                documents, ending == null ? null : StoreErrors.translate(ending), () -> room.give(large + small));
    }

    private Fetched failed(Throwable failure, long large) {
        room.give(large);
        throw StoreErrors.translate(failure);
    }

    private static @Nullable StoredDocument found(CompletableFuture<Optional<StoredDocument>> read) {
        return read.isCompletedExceptionally() ? null : read.join().orElse(null);
    }

    /** Returns why a read failed, or null; there is no document with an invalid id. */
    private static @Nullable Throwable failure(CompletableFuture<Optional<StoredDocument>> read) {
        if (!read.isCompletedExceptionally()) {
            return null;
        }
        Throwable failure = read.isCancelled() ? new CancellationException() : read.exceptionNow();
        return failure instanceof DocumentsException known && known.code() == Code.INVALID_ID ? null : failure;
    }

    private static boolean isShortage(Throwable failure) {
        return failure instanceof DocumentsException known && known.code() == Code.OVERLOADED;
    }
}
