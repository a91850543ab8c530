package io.millrace.n1qldocuments;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentStore.AtomicResult;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.n1ql.keyspace.AtomicChange;
import io.millrace.n1ql.keyspace.KeyspaceName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Changes of statements that are written together. */
final class AtomicWrites {

    private AtomicWrites() {}

    static CompletableFuture<AtomicChange.Outcome> of(
            DocumentStore store, List<AtomicChange> changes, @Nullable Origin origin) {
        List<Write> writes = new ArrayList<>(changes.size());
        for (AtomicChange change : changes) {
            DocumentKey key =
                    new DocumentKey(keyspace(change.keyspace()), change.change().key());
            writes.add(DocumentKeyspace.write(key, change.change()).withOrigin(origin));
        }
        return StoreErrors.answer(store.writeAtomically(writes)
                .thenApply(result -> outcome(result, writes.getFirst().key()))
                .exceptionallyCompose(AtomicWrites::whereImpossible));
    }

    /** A store in front of another one, such as that of a trial, may write each document by itself only. */
    private static CompletableFuture<AtomicChange.Outcome> whereImpossible(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof UnsupportedOperationException
                ? CompletableFuture.completedFuture(new AtomicChange.Refused(
                        "transactions are not possible here: each document is written by itself"))
                : CompletableFuture.failedFuture(failure);
    }

    private static Keyspace keyspace(KeyspaceName name) {
        return new Keyspace(name.bucket(), name.scope(), name.collection());
    }

    private static AtomicChange.Outcome outcome(AtomicResult result, DocumentKey first) {
        return switch (result) {
            case AtomicResult.Written written -> new AtomicChange.Done();
            case AtomicResult.Refused refused -> refused(refused);
            case AtomicResult.Apart(DocumentKey other) -> new AtomicChange.Refused(apart(first, other));
        };
    }

    private static AtomicChange.Outcome refused(AtomicResult.Refused refused) {
        Keyspace keyspace = refused.key().keyspace();
        return refused.reason() instanceof WriteResult.Locked
                ? new AtomicChange.Refused(
                        "the document %s is locked".formatted(refused.key().id()))
                : new AtomicChange.Conflict(
                        new KeyspaceName(keyspace.bucket(), keyspace.scope(), keyspace.collection()),
                        refused.key().id());
    }

    private static String apart(DocumentKey first, DocumentKey other) {
        String bucket = first.keyspace().bucket();
        return bucket.equals(other.keyspace().bucket())
                ? ("the documents %s and %s are in different shards of the bucket %s, and only documents of one shard can be"
                                + " written together; a bucket that is created with one shard has all of them in it")
                        .formatted(first.id(), other.id(), bucket)
                : "the documents %s and %s are in different buckets, %s and %s, and only documents of one bucket can be written together"
                        .formatted(
                                first.id(), other.id(), bucket, other.keyspace().bucket());
    }
}
