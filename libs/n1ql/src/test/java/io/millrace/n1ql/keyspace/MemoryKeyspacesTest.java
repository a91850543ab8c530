package io.millrace.n1ql.keyspace;

class MemoryKeyspacesTest extends KeyspaceContract {

    @Override
    protected KeyspaceStore open() {
        MemoryKeyspaces keyspaces = new MemoryKeyspaces();
        keyspaces.create(bucket());
        return keyspaces;
    }

    @Override
    protected String bucket() {
        return "b";
    }
}
