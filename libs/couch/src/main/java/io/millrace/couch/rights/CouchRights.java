package io.millrace.couch.rights;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.couch.CouchException;
import io.millrace.couch.CouchRequest;
import io.millrace.couch.document.CouchDatabase;
import io.millrace.documents.DocumentStore;
import java.util.EnumSet;
import java.util.Set;

/**
 * Decides who may do what. Roles on the bucket grant, as on every other road; the {@code _security} of a database grants
 * its members reading and writing over this API and, when it names members, keeps all others out.
 */
public final class CouchRights {

    /** What {@code _security} grants members. */
    private static final Set<Permission> OF_MEMBERS =
            EnumSet.of(Permission.BUCKET_ACCESS, Permission.DATA_READ, Permission.DATA_WRITE, Permission.DATA_DCP);

    private final DocumentStore store;

    public CouchRights(DocumentStore store) {
        this.store = store;
    }

    /** Throws 401 or 403 if a request may not be made; otherwise returns what its writes must ask. */
    public CouchDatabase.WriteRule check(CouchRequest request) {
        Endpoint endpoint = Endpoint.of(request);
        Subject subject = request.subject();
        if (endpoint.whom() == Endpoint.For.EVERYONE) {
            return CouchDatabase.NO_WRITES;
        }
        if (!subject.known()) {
            throw CouchException.of(401, "unauthorized", "You are not authorized to access this server.");
        }
        if (endpoint.whom() == Endpoint.For.USERS) {
            return CouchDatabase.NO_WRITES;
        }
        String name = request.path().getFirst();
        boolean everything =
                subject.domain() == Subject.Domain.SERVICE || subject.roles().contains(Role.ADMIN);
        boolean administrator = everything || member(name, subject, endpoint);
        return (id, before, after) -> {
            if (!administrator && id.startsWith("_design/")) {
                throw notAnAdministrator();
            }
        };
    }

    /** Throws unless a user may use an endpoint of a database; returns whether the user is its administrator. */
    private boolean member(String name, Subject subject, Endpoint endpoint) {
        SecurityObject security = SecurityObject.of(CouchDatabase.security(store, name));
        boolean listed = security.admins().has(subject);
        boolean administrator = listed || Access.allowed(subject, Permission.BUCKET_MANAGE, Resource.bucket(name));
        boolean grants = endpoint.whom() == Endpoint.For.GRANTORS;
        if (grants && (listed || Access.allowed(subject, Permission.SECURITY_MANAGE, Resource.cluster()))) {
            return administrator;
        }
        boolean member = listed || security.members().has(subject);
        if (!administrator && !member && !security.members().isEmpty()) {
            throw CouchException.of(403, "forbidden", "You are not allowed to access this db.");
        }
        if (endpoint.whom() == Endpoint.For.DATABASE_ADMINISTRATORS && !administrator) {
            throw notAnAdministrator();
        }
        if (grants) {
            throw CouchException.of(
                    403,
                    "forbidden",
                    "_security grants rights to documents. Only users who manage users change it, and the administrators"
                            + " that it names.");
        }
        for (Permission permission : endpoint.needs()) {
            boolean granted = Access.allowed(subject, permission, resource(permission, name));
            if (!granted && !(member && OF_MEMBERS.contains(permission))) {
                throw CouchException.of(
                        403,
                        "forbidden",
                        "The roles of %s do not grant %s on this db.".formatted(subject.name(), permission.label()));
            }
        }
        return administrator;
    }

    private static Resource resource(Permission permission, String name) {
        return switch (permission) {
            case BUCKET_ACCESS, BUCKET_MANAGE -> Resource.bucket(name);
            default -> Resource.defaultKeyspace(name);
        };
    }

    private static CouchException notAnAdministrator() {
        return CouchException.of(403, "forbidden", "You are not a db or server admin.");
    }
}
