package io.millrace.n1ql.keyspace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keyspaces in memory: for tests, and as the readable specification of a store. */
public final class MemoryKeyspaces implements KeyspaceStore {

    private final Map<KeyspaceName, MemoryKeyspace> keyspaces = new ConcurrentHashMap<>();

    /** Returns a keyspace, which is created if it does not exist. */
    public MemoryKeyspace create(KeyspaceName name) {
        return keyspaces.computeIfAbsent(name, MemoryKeyspace::new);
    }

    /** Returns the default keyspace of a bucket, which is created if it does not exist. */
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
