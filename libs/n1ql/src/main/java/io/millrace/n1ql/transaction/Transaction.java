package io.millrace.n1ql.transaction;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.AtomicChange;
import io.millrace.n1ql.keyspace.FunctionStore;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.SequenceStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A store whose changes stay in memory, in front of one that is only read, until they are written together. Documents that
 * have been changed are as they have been changed to; all others are as they are now. Thread-safe.
 */
final class Transaction implements KeyspaceStore {

    private final KeyspaceStore below;
    private final Map<String, Map<KeyspaceName, Map<String, Pending>>> savepoints = new HashMap<>();
    private Map<KeyspaceName, Map<String, Pending>> pending = new HashMap<>();
    private long versions;

    Transaction(KeyspaceStore below) {
        this.below = below;
    }

    @Override
    public @Nullable Keyspace keyspace(KeyspaceName name) {
        Keyspace found = below.keyspace(name);
        return found == null ? null : new TransactionKeyspace(found, this);
    }

    @Override
    public FunctionStore functions() {
        return below.functions();
    }

    @Override
    public SequenceStore sequences() {
        return below.sequences();
    }

    @Override
    public List<KeyspaceName> names() {
        return below.names();
    }

    @Override
    public List<KeyspaceName> scopes() {
        return below.scopes();
    }

    /** Returns the documents of a keyspace that have been changed, by key. */
    synchronized Map<String, Pending> pending(KeyspaceName keyspace) {
        return Map.copyOf(pending.getOrDefault(keyspace, Map.of()));
    }

    /** @param stored the document below, which does not matter if it has been changed already */
    synchronized Change.Outcome change(KeyspaceName keyspace, Change change, @Nullable StoredDocument stored) {
        Map<String, Pending> documents = pending.computeIfAbsent(keyspace, name -> new HashMap<>());
        Pending known = documents.getOrDefault(change.key(), new Pending(stored, stored, null));
        Change.Outcome refusal = known.refusal(change);
        if (refusal != null) {
            return refusal;
        }
        versions++;
        documents.put(change.key(), known.with(change, versions));
        limit();
        return new Change.Done(versions);
    }

    private void limit() {
        long documents = 0;
        long bytes = 0;
        for (Map<String, Pending> changed : pending.values()) {
            documents += changed.size();
            for (Pending document : changed.values()) {
                bytes += document.now() == null ? 0 : document.now().body().length;
            }
        }
        if (documents > MAX_ATOMIC_CHANGES || bytes > MAX_ATOMIC_BYTES) {
            throw QueryException.of(
                    ErrorCode.NO_TRANSACTIONS,
                    "A transaction changes at most %d documents, of %d MiB together; nothing was written. Divide it, or run its"
                                    .formatted(MAX_ATOMIC_CHANGES, MAX_ATOMIC_BYTES >> 20)
                            + " statements without a transaction.");
        }
    }

    synchronized void savepoint(String name) {
        savepoints.put(name, copy(pending));
    }

    /** Forgets what has been changed since a savepoint; returns false if there is none of this name. */
    synchronized boolean back(String name) {
        Map<KeyspaceName, Map<String, Pending>> then = savepoints.get(name);
        if (then == null) {
            return false;
        }
        pending = copy(then);
        return true;
    }

    private static Map<KeyspaceName, Map<String, Pending>> copy(Map<KeyspaceName, Map<String, Pending>> documents) {
        Map<KeyspaceName, Map<String, Pending>> copy = new HashMap<>();
        documents.forEach((keyspace, changed) -> copy.put(keyspace, new HashMap<>(changed)));
        return copy;
    }

    /** Returns what is to be written. */
    synchronized List<AtomicChange> changes() {
        List<AtomicChange> changes = new ArrayList<>();
        pending.forEach((keyspace, documents) -> documents.forEach((key, document) -> {
            Change change = document.change(key);
            if (change != null) {
                changes.add(new AtomicChange(keyspace, change));
            }
        }));
        return changes;
    }
}
