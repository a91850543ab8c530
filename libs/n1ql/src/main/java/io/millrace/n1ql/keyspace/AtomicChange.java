package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.keyspace.Keyspace.Change;

/** A change that is carried out together with others or not at all; see {@link KeyspaceStore#changeAll}. */
public record AtomicChange(KeyspaceName keyspace, Change change) {

    /** How such changes ended. */
    public sealed interface Outcome {}

    /** All were carried out. */
    public record Done() implements Outcome {}

    /** None was carried out: the document was changed, created or deleted by another writer. */
    public record Conflict(KeyspaceName keyspace, String key) implements Outcome {}

    /** None was carried out; repeating them does not help. */
    public record Refused(String reason) implements Outcome {}
}
