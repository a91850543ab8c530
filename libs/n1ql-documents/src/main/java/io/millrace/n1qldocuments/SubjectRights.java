package io.millrace.n1qldocuments;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.StatementRights;
import java.util.Locale;

/** The rights of statements that a subject runs. */
public record SubjectRights(Subject subject) implements StatementRights {

    @Override
    public boolean allows(Need need, KeyspaceName name) {
        return Access.allowed(subject, permission(need), resource(need, name));
    }

    private static Resource resource(Need need, KeyspaceName name) {
        return switch (need) {
            case SELECT, INSERT, UPDATE, DELETE, MANAGE_INDEX ->
                Resource.keyspace(name.bucket(), name.scope(), name.collection());
            case MANAGE_COLLECTIONS, USE_SEQUENCES, MANAGE_SEQUENCES -> Resource.scope(name.bucket(), name.scope());
            case MANAGE_BUCKET -> Resource.bucket(name.bucket());
        };
    }

    private static Permission permission(Need need) {
        return switch (need) {
            case SELECT -> Permission.QUERY_SELECT;
            case INSERT -> Permission.QUERY_INSERT;
            case UPDATE -> Permission.QUERY_UPDATE;
            case DELETE -> Permission.QUERY_DELETE;
            case MANAGE_INDEX -> Permission.QUERY_MANAGE_INDEX;
            case USE_SEQUENCES -> Permission.QUERY_USE_SEQUENCES;
            case MANAGE_SEQUENCES -> Permission.QUERY_MANAGE_SEQUENCES;
            case MANAGE_COLLECTIONS -> Permission.COLLECTIONS_MANAGE;
            case MANAGE_BUCKET -> Permission.BUCKET_MANAGE;
        };
    }

    @Override
    public boolean managesFunction(FunctionDefinition.Name name) {
        String bucket = name.bucket();
        String scope = name.scope();
        return bucket == null || scope == null
                ? Access.allowed(subject, Permission.CLUSTER_MANAGE, Resource.cluster())
                : Access.allowed(subject, Permission.COLLECTIONS_MANAGE, Resource.scope(bucket, scope));
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

    @Override
    public boolean showsUsers() {
        return Access.allowed(subject, Permission.SECURITY_READ, Resource.cluster());
    }

    @Override
    public User user() {
        return user(subject, "");
    }

    /**
     * Describes a user for statements that list users.
     *
     * @param fullName the name for people, empty if that is not known
     */
    public static User user(Subject subject, String fullName) {
        return new User(
                subject.domain().name().toLowerCase(Locale.ROOT),
                subject.name(),
                fullName,
                subject.roles().stream()
                        .map(role -> new StatementRights.Role(role.name().label(), role.parameters()))
                        .toList());
    }
}
