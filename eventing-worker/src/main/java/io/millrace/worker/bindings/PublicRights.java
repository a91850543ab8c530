package io.millrace.worker.bindings;

import io.millrace.n1ql.StatementOutline;
import io.millrace.n1ql.StatementOutline.Use;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.worker.HandlerCode;
import io.millrace.workerprotocol.WorkerSetup;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rights of statements that a request to a public function runs: what the function names of what its owner may do. It names
 * the keyspaces of its bindings, and what the statements do that stand in its code. See {@code RATIONALE.md}, "Queries".
 */
final class PublicRights implements StatementRights {

    private final StatementRights owner;
    private final List<WorkerSetup.Alias> bindings;
    private final Set<Use> written;

    /** @param statements those that stand in the code */
    PublicRights(StatementRights owner, List<WorkerSetup.Alias> bindings, List<String> statements) {
        this.owner = owner;
        this.bindings = bindings;
        this.written = statements.stream()
                .flatMap(text -> StatementOutline.of(text).uses().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean allows(Need need, KeyspaceName name) {
        boolean named = written.contains(new Use(need, name))
                || bindings.stream().anyMatch(binding -> names(binding, name) && allows(binding, need));
        return named && owner.allows(need, name);
    }

    private static boolean names(WorkerSetup.Alias binding, KeyspaceName name) {
        return binding.bucket().equals(name.bucket())
                && matches(binding.scope(), name.scope())
                && matches(binding.collection(), name.collection());
    }

    private static boolean matches(String bound, String name) {
        return bound.equals(HandlerCode.WILDCARD) || bound.equals(name);
    }

    private static boolean allows(WorkerSetup.Alias binding, Need need) {
        return switch (need) {
            case SELECT -> true;
            case INSERT, UPDATE, DELETE -> binding.writable();
            case MANAGE_INDEX, USE_SEQUENCES, MANAGE_SEQUENCES, MANAGE_COLLECTIONS, MANAGE_BUCKET -> false;
        };
    }

    @Override
    public boolean managesFunction(FunctionDefinition.Name name) {
        return false;
    }

    @Override
    public boolean shows(KeyspaceName name) {
        boolean named = written.stream().anyMatch(use -> use.keyspace().equals(name))
                || bindings.stream().anyMatch(binding -> names(binding, name));
        return named && owner.shows(name);
    }

    @Override
    public boolean allowsSystem() {
        return false;
    }

    @Override
    public boolean showsUsers() {
        return false;
    }

    @Override
    public User user() {
        return owner.user();
    }

    @Override
    public String remedy(String role) {
        return "Requests to a function whose setting request_access is public reach only what its bindings and the"
                + " statements in its code name: add a binding, write the statement into the code as it is run, or set"
                + " request_access to roles.";
    }
}
