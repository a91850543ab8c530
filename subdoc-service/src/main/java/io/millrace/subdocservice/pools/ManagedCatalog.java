package io.millrace.subdocservice.pools;

import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1qldocuments.SubjectRights;
import io.millrace.users.UserDirectory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Users and settings of buckets for statements: those that the management API shows. */
final class ManagedCatalog implements ServiceCatalog {

    private final UserDirectory users;
    private final BucketManagement buckets;

    ManagedCatalog(UserDirectory users, BucketManagement buckets) {
        this.users = users;
        this.buckets = buckets;
    }

    @Override
    public List<StatementRights.User> users() {
        return users.users().stream()
                .map(user -> SubjectRights.user(user.subject(), user.fullName()))
                .toList();
    }

    @Override
    public CompletableFuture<Optional<byte[]>> bucket(String name) {
        return buckets.settings(name);
    }
}
