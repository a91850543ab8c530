package io.millrace.n1ql.keyspace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keyspaces by name. */
public interface KeyspaceStore {

    /** Returns a keyspace, or null if it does not exist. */
    @Nullable
    Keyspace keyspace(KeyspaceName name);

    /** Returns all keyspaces, for {@code system:keyspaces}. */
    List<KeyspaceName> names();
}
