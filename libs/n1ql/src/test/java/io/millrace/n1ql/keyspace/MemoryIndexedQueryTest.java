package io.millrace.n1ql.keyspace;

class MemoryIndexedQueryTest extends IndexedQueryContract {

    private final MemoryKeyspaces keyspaces = new MemoryKeyspaces();

    @Override
    protected KeyspaceStore open() {
        keyspaces.create(bucket());
        return keyspaces;
    }

    @Override
    protected String bucket() {
        return "t";
    }
}
