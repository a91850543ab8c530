package io.millrace.n1qldocuments;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.StatementRights;

/** The rights of statements that a subject runs. */
public record SubjectRights(Subject subject) implements StatementRights {

    @Override
    public boolean allows(Need need, KeyspaceName name) {
        return Access.allowed(
                subject, permission(need), Resource.keyspace(name.bucket(), name.scope(), name.collection()));
    }

    private static Permission permission(Need need) {
        return switch (need) {
            case SELECT -> Permission.QUERY_SELECT;
            case INSERT -> Permission.QUERY_INSERT;
            case UPDATE -> Permission.QUERY_UPDATE;
            case DELETE -> Permission.QUERY_DELETE;
            case MANAGE_INDEX -> Permission.QUERY_MANAGE_INDEX;
        };
    }

    @Override
    public boolean shows(KeyspaceName name) {
        return Access.allowed(
                subject, Permission.BUCKET_ACCESS, Resource.keyspace(name.bucket(), name.scope(), name.collection()));
    }

    @Override
    public boolean allowsSystem() {
        return Access.allowed(subject, Permission.QUERY_SYSTEM, Resource.cluster());
    }
}
