package io.millrace.subdocservice.kv.command;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.documents.Keyspace;
import io.millrace.memcached.Request;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.users.Logins;

/** Compares what commands need with the roles that their user has now: a right that is taken away counts at once, a new password, too. */
final class Rights {

    private final Logins logins;

    Rights(Logins logins) {
        this.logins = logins;
    }

    /** Throws {@code EACCESS} if the user of a session may not run a command on the document or bucket of a request. */
    void check(Command command, Session session, Request request) {
        if (command.needs().isEmpty()) {
            return;
        }
        Subject subject = subject(session);
        for (Permission permission : command.needs()) {
            require(subject, permission, resource(permission, session, request));
        }
    }

    private static Resource resource(Permission permission, Session session, Request request) {
        if (permission == Permission.BUCKET_ACCESS) {
            return Resource.bucket(session.bucket().name());
        }
        Keyspace keyspace = session.keyspace(request);
        return Resource.keyspace(keyspace.bucket(), keyspace.scope(), keyspace.collection());
    }

    /** Throws {@code EACCESS} if the user of a session may not use a bucket. */
    void checkBucket(Session session, String bucket) {
        require(subject(session), Permission.BUCKET_ACCESS, Resource.bucket(bucket));
    }

    /** Throws {@code EACCESS} if the user of a session may not read the documents of a collection. */
    void checkReading(Session session, Keyspace keyspace) {
        require(
                subject(session),
                Permission.DATA_READ,
                Resource.keyspace(keyspace.bucket(), keyspace.scope(), keyspace.collection()));
    }

    private Subject subject(Session session) {
        String user = session.user();
        if (user == null) {
            return Subject.anonymous();
        }
        Subject subject = logins.subject(user)
                .orElseThrow(() -> CommandException.of(Status.EACCESS, "The user has been deleted"));
        if (!session.holds(logins.stamp(user))) {
            session.finish();
            throw CommandException.of(Status.EACCESS, "The password has been changed; connect and log in again");
        }
        return subject;
    }

    private static void require(Subject subject, Permission permission, Resource resource) {
        if (!Access.allowed(subject, permission, resource)) {
            throw CommandException.of(
                    Status.EACCESS,
                    "The roles of %s do not grant %s on %s".formatted(subject.name(), permission.label(), resource));
        }
    }
}
