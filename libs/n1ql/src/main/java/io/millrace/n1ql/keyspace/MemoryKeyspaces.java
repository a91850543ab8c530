package io.millrace.n1ql.keyspace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keyspaces in memory: for tests, and to read what a store has to do. */
public final class MemoryKeyspaces implements KeyspaceStore {

    private final Map<KeyspaceName, MemoryKeyspace> keyspaces = new ConcurrentHashMap<>();

    /** Returns a keyspace, made when there is none yet. */
    public MemoryKeyspace create(KeyspaceName name) {
        return keyspaces.computeIfAbsent(name, MemoryKeyspace::new);
    }

    /** Returns the keyspace of a whole bucket, made when there is none yet. */
    public MemoryKeyspace create(String bucket) {
        return create(KeyspaceName.of(bucket));
    }

    @Override
    public @Nullable Keyspace keyspace(KeyspaceName name) {
        return keyspaces.get(name);
    }

    @Override
    public List<KeyspaceName> names() {
        return new ArrayList<>(keyspaces.keySet());
    }
}
