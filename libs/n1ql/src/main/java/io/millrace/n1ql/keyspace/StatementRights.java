package io.millrace.n1ql.keyspace;

import java.util.List;
import java.util.Map;

/** Decides what the statements of a run may do with keyspaces. Implementations are thread-safe. */
public interface StatementRights {

    /** What a statement does with a keyspace. */
    enum Need {
        SELECT,
        INSERT,
        UPDATE,
        DELETE,
        MANAGE_INDEX,
        /** NEXTVAL and PREVVAL of the sequences of the scope. */
        USE_SEQUENCES,
        /** Create, alter and drop sequences of the scope. */
        MANAGE_SEQUENCES,
        /** Create and drop the scope, or collections in it. */
        MANAGE_COLLECTIONS,
        /** Create and drop the bucket. */
        MANAGE_BUCKET
    }

    /**
     * A role as it is granted.
     *
     * @param parameters what it is granted on, by the names of the parts, such as {@code bucket_name}
     */
    record Role(String name, Map<String, String> parameters) {}

    /**
     * Who runs a statement, or is listed by one.
     *
     * @param domain where the user comes from
     * @param fullName the name for people, empty if that is not known
     */
    record User(String domain, String name, String fullName, List<Role> roles) {}

    StatementRights ALL = new All();

    /** Allows everything. */
    class All implements StatementRights {
        @Override
        public boolean allows(Need need, KeyspaceName name) {
            return true;
        }

        @Override
        public boolean managesFunction(FunctionDefinition.Name name) {
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

        @Override
        public boolean showsUsers() {
            return true;
        }

        @Override
        public User user() {
            return new User("", "", "", List.of());
        }
    }

    boolean allows(Need need, KeyspaceName name);

    /** Returns whether the function may be created, replaced and dropped. Every statement may call it. */
    boolean managesFunction(FunctionDefinition.Name name);

    /** Returns whether lists of keyspaces and indexes have the keyspace. */
    boolean shows(KeyspaceName name);

    /** Returns whether requests of others and prepared statements may be read and ended. */
    boolean allowsSystem();

    /** Returns whether all users and their roles may be listed. */
    boolean showsUsers();

    /** Returns who runs the statement; the name is empty if that is not known. */
    User user();

    /**
     * Returns what to do about a refusal, as a sentence.
     *
     * @param role the role that allows what was refused, and on what
     */
    default String remedy(String role) {
        return "Add role %s to allow the statement to run.".formatted(role);
    }
}
