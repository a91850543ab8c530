package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Keyspaces by name. A store whose buckets, scopes and collections are fixed refuses to create and drop them. */
public interface KeyspaceStore {

    /** Returns a keyspace, or null if it does not exist. */
    @Nullable
    Keyspace keyspace(KeyspaceName name);

    /**
     * Creates a container; false if it exists.
     *
     * @throws QueryException if what it belongs to does not exist, or its name is not valid
     */
    default boolean create(Container container) {
        throw fixed(container);
    }

    /**
     * Drops a container with all documents and indexes in it; false if it does not exist.
     *
     * @throws QueryException if it cannot be dropped
     */
    default boolean drop(Container container) {
        throw fixed(container);
    }

    /** The most documents that {@link #changeAll} changes. */
    int MAX_ATOMIC_CHANGES = 256;

    /** The most bytes of bodies that {@link #changeAll} writes. */
    int MAX_ATOMIC_BYTES = 4 << 20;

    /**
     * Carries out all changes or none. A store may refuse documents that it does not keep in one place.
     *
     * @param changes at least one, each of another document
     */
    default CompletableFuture<AtomicChange.Outcome> changeAll(List<AtomicChange> changes) {
        return CompletableFuture.completedFuture(
                new AtomicChange.Refused("transactions are not possible here: each document is written by itself"));
    }

    private static QueryException fixed(Container container) {
        return QueryException.of(
                ErrorCode.SEMANTICS,
                "The %s %s cannot be changed here.".formatted(container.kind().label(), container));
    }

    /** Returns the user-defined functions that statements may call. */
    default FunctionStore functions() {
        return FunctionStore.NONE;
    }

    /** Returns the sequences that statements may use. */
    default SequenceStore sequences() {
        return SequenceStore.NONE;
    }

    /** Returns all keyspaces, for {@code system:keyspaces}. */
    List<KeyspaceName> names();

    /** Returns the default keyspace of every scope, whether it exists or not, for {@code system:scopes}. */
    default List<KeyspaceName> scopes() {
        return names().stream().map(KeyspaceName::ofScope).distinct().toList();
    }
}
