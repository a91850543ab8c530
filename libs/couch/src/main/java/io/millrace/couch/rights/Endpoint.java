package io.millrace.couch.rights;

import static io.millrace.access.Permission.BUCKET_ACCESS;
import static io.millrace.access.Permission.BUCKET_MANAGE;
import static io.millrace.access.Permission.DATA_DCP;
import static io.millrace.access.Permission.DATA_READ;
import static io.millrace.access.Permission.DATA_WRITE;

import io.millrace.access.Permission;
import io.millrace.couch.CouchRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The endpoints, each with what it needs. A request that fits no other one reads or writes a document. */
enum Endpoint {
    WELCOME(For.EVERYONE),
    UP(For.EVERYONE),
    SESSION(For.EVERYONE),
    UUIDS(For.USERS),
    /** Lists the databases that the user may access. */
    ALL_DBS(For.USERS),
    DBS_INFO(For.USERS),
    CREATE(BUCKET_MANAGE),
    DROP(BUCKET_MANAGE),
    INFO(BUCKET_ACCESS),
    SECURITY(BUCKET_ACCESS),
    SET_SECURITY(For.GRANTORS),
    MAINTAIN(For.DATABASE_ADMINISTRATORS),
    REVS_LIMIT(BUCKET_ACCESS),
    SET_REVS_LIMIT(For.DATABASE_ADMINISTRATORS),
    COMMIT(DATA_WRITE),
    CHANGES(DATA_DCP),
    LIST(DATA_READ),
    BULK_READ(DATA_READ),
    BULK_WRITE(DATA_WRITE),
    READ(DATA_READ),
    WRITE(DATA_WRITE),
    COPY(DATA_READ, DATA_WRITE);

    /** Whom an endpoint is for. */
    enum For {
        EVERYONE,
        USERS,
        /** Users with permissions, or members of the database. */
        MEMBERS,
        DATABASE_ADMINISTRATORS,
        /** Users who may give others rights: those who manage users, and the administrators that {@code _security} names. */
        GRANTORS
    }

    private final For whom;
    private final Set<Permission> needs;

    Endpoint(For whom) {
        this.whom = whom;
        this.needs = EnumSet.noneOf(Permission.class);
    }

    Endpoint(Permission first, Permission... more) {
        this.whom = For.MEMBERS;
        this.needs = EnumSet.of(first, more);
    }

    For whom() {
        return whom;
    }

    /** Returns what the roles must grant on the bucket or the default collection of the database. */
    Set<Permission> needs() {
        return needs;
    }

    static Endpoint of(CouchRequest request) {
        List<String> path = request.path();
        return switch (path.size()) {
            case 0 -> WELCOME;
            case 1 ->
                switch (path.getFirst()) {
                    case "_all_dbs" -> ALL_DBS;
                    case "_dbs_info" -> DBS_INFO;
                    case "_uuids" -> UUIDS;
                    case "_up" -> UP;
                    case "_session" -> SESSION;
                    default -> ofDatabase(request.method());
                };
            default -> below(path.get(1), request);
        };
    }

    private static Endpoint ofDatabase(String method) {
        return switch (method) {
            case "PUT" -> CREATE;
            case "DELETE" -> DROP;
            case "POST" -> WRITE;
            default -> INFO;
        };
    }

    private static Endpoint below(String segment, CouchRequest request) {
        return switch (segment) {
            case "_security" -> request.reads() ? SECURITY : SET_SECURITY;
            case "_revs_limit" -> request.reads() ? REVS_LIMIT : SET_REVS_LIMIT;
            case "_compact", "_view_cleanup" -> MAINTAIN;
            case "_ensure_full_commit" -> COMMIT;
            case "_changes" -> CHANGES;
            case "_all_docs", "_design_docs", "_local_docs" -> LIST;
            case "_bulk_get", "_revs_diff", "_missing_revs" -> BULK_READ;
            case "_bulk_docs" -> BULK_WRITE;
            default -> request.reads() ? READ : request.is("COPY") ? COPY : WRITE;
        };
    }
}
