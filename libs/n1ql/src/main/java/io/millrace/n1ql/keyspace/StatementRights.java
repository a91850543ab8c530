package io.millrace.n1ql.keyspace;

/** Decides what the statements of a run may do with keyspaces. Implementations are thread-safe. */
public interface StatementRights {

    /** What a statement does with a keyspace. */
    enum Need {
        SELECT,
        INSERT,
        UPDATE,
        DELETE,
        MANAGE_INDEX
    }

    /** Allows everything. */
    StatementRights ALL = new StatementRights() {
        @Override
        public boolean allows(Need need, KeyspaceName name) {
            return true;
        }

        @Override
        public boolean shows(KeyspaceName name) {
            return true;
        }

        @Override
        public boolean allowsSystem() {
            return true;
        }
    };

    boolean allows(Need need, KeyspaceName name);

    /** Returns whether lists of keyspaces and indexes have the keyspace. */
    boolean shows(KeyspaceName name);

    /** Returns whether requests of others and prepared statements may be read and ended. */
    boolean allowsSystem();
}
