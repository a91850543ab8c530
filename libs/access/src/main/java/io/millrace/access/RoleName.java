package io.millrace.access;

import static io.millrace.access.Permission.BUCKET_ACCESS;
import static io.millrace.access.Permission.BUCKET_MANAGE;
import static io.millrace.access.Permission.BUCKET_READ;
import static io.millrace.access.Permission.CLUSTER_MANAGE;
import static io.millrace.access.Permission.CLUSTER_READ;
import static io.millrace.access.Permission.COLLECTIONS_MANAGE;
import static io.millrace.access.Permission.CONFIG_READ;
import static io.millrace.access.Permission.DATA_DCP;
import static io.millrace.access.Permission.DATA_READ;
import static io.millrace.access.Permission.DATA_WRITE;
import static io.millrace.access.Permission.FUNCTIONS_EXECUTE;
import static io.millrace.access.Permission.FUNCTIONS_MANAGE;
import static io.millrace.access.Permission.FUNCTIONS_READ;
import static io.millrace.access.Permission.INTERNAL;
import static io.millrace.access.Permission.QUERY_SYSTEM;
import static io.millrace.access.Permission.SECURITY_MANAGE;
import static io.millrace.access.Permission.SECURITY_READ;
import static io.millrace.access.Permission.STATS_READ;
import static io.millrace.access.Permission.STREAMS_READ;
import static io.millrace.access.Permission.STREAMS_WRITE;
import static io.millrace.access.Permission.TOPICS_READ;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The roles, with the names that Couchbase Server gives them, and what each grants. Those for event streams, for topics
 * and for calls of functions are added. */
public enum RoleName {
    ADMIN(
            Level.NONE,
            "Full Admin",
            "Everything: data, functions, users and the cluster.",
            EnumSet.complementOf(EnumSet.of(INTERNAL))),
    RO_ADMIN(
            Level.NONE,
            "Read-Only Admin",
            "Reads everything about the cluster, its functions and its users; no documents.",
            EnumSet.of(
                    CLUSTER_READ,
                    STATS_READ,
                    SECURITY_READ,
                    CONFIG_READ,
                    BUCKET_ACCESS,
                    BUCKET_READ,
                    QUERY_SYSTEM,
                    FUNCTIONS_READ)),
    CLUSTER_ADMIN(
            Level.NONE,
            "Cluster Admin",
            "Manages nodes, settings, buckets and functions; no users and no documents.",
            EnumSet.of(
                    CLUSTER_READ,
                    CLUSTER_MANAGE,
                    STATS_READ,
                    CONFIG_READ,
                    BUCKET_ACCESS,
                    BUCKET_READ,
                    BUCKET_MANAGE,
                    COLLECTIONS_MANAGE,
                    QUERY_SYSTEM,
                    FUNCTIONS_READ,
                    FUNCTIONS_MANAGE)),
    SECURITY_ADMIN(
            Level.NONE,
            "Security Admin",
            "Manages users, API keys and secrets; cannot grant the roles of administrators.",
            EnumSet.of(CLUSTER_READ, SECURITY_READ, SECURITY_MANAGE)),
    EXTERNAL_STATS_READER(
            Level.NONE, "External Stats Reader", "Reads the metrics of all services.", EnumSet.of(STATS_READ)),
    BUCKET_ADMIN(
            Level.BUCKET,
            "Bucket Admin",
            "Manages a bucket, its scopes and its collections; no documents.",
            EnumSet.of(BUCKET_ACCESS, BUCKET_READ, BUCKET_MANAGE, COLLECTIONS_MANAGE)),
    BUCKET_FULL_ACCESS(
            Level.BUCKET,
            "Application Access",
            "Reads and writes all documents of a bucket, by key, by query and by change feed.",
            EnumSet.of(
                    BUCKET_ACCESS,
                    BUCKET_READ,
                    DATA_READ,
                    DATA_WRITE,
                    DATA_DCP,
                    Permission.QUERY_SELECT,
                    Permission.QUERY_INSERT,
                    Permission.QUERY_UPDATE,
                    Permission.QUERY_DELETE,
                    Permission.QUERY_USE_SEQUENCES)),
    SCOPE_ADMIN(
            Level.SCOPE,
            "Scope Admin",
            "Manages the collections of a scope; no documents.",
            EnumSet.of(BUCKET_ACCESS, COLLECTIONS_MANAGE)),
    DATA_READER(Level.KEYSPACE, "Data Reader", "Reads documents.", EnumSet.of(BUCKET_ACCESS, DATA_READ)),
    DATA_WRITER(Level.KEYSPACE, "Data Writer", "Writes documents.", EnumSet.of(BUCKET_ACCESS, DATA_WRITE)),
    DATA_DCP_READER(
            Level.KEYSPACE,
            "Data DCP Reader",
            "Reads documents and the change feed.",
            EnumSet.of(BUCKET_ACCESS, DATA_READ, DATA_DCP)),
    DATA_MONITORING(
            Level.KEYSPACE,
            "Data Monitor",
            "Reads the counters of a bucket; no documents.",
            EnumSet.of(BUCKET_ACCESS, BUCKET_READ)),
    QUERY_SELECT(Level.KEYSPACE, "Query Select", "Runs SELECT.", EnumSet.of(BUCKET_ACCESS, Permission.QUERY_SELECT)),
    QUERY_INSERT(Level.KEYSPACE, "Query Insert", "Runs INSERT.", EnumSet.of(BUCKET_ACCESS, Permission.QUERY_INSERT)),
    QUERY_UPDATE(Level.KEYSPACE, "Query Update", "Runs UPDATE.", EnumSet.of(BUCKET_ACCESS, Permission.QUERY_UPDATE)),
    QUERY_DELETE(Level.KEYSPACE, "Query Delete", "Runs DELETE.", EnumSet.of(BUCKET_ACCESS, Permission.QUERY_DELETE)),
    QUERY_MANAGE_INDEX(
            Level.KEYSPACE,
            "Query Manage Index",
            "Creates and drops indexes.",
            EnumSet.of(BUCKET_ACCESS, Permission.QUERY_MANAGE_INDEX)),
    QUERY_USE_SEQUENCES(
            Level.SCOPE,
            "Query Use Sequences",
            "Takes values of the sequences of a scope.",
            EnumSet.of(BUCKET_ACCESS, Permission.QUERY_USE_SEQUENCES)),
    QUERY_MANAGE_SEQUENCES(
            Level.SCOPE,
            "Query Manage Sequences",
            "Creates, alters and drops the sequences of a scope.",
            EnumSet.of(BUCKET_ACCESS, Permission.QUERY_MANAGE_SEQUENCES)),
    QUERY_SYSTEM_CATALOG(
            Level.NONE, "Query System Catalog", "Queries the catalog of the system.", EnumSet.of(QUERY_SYSTEM)),
    EVENTING_ADMIN(
            Level.NONE,
            "Eventing Full Admin",
            "Manages all functions. The documents that a function uses need roles of their own.",
            EnumSet.of(BUCKET_ACCESS, FUNCTIONS_READ, FUNCTIONS_MANAGE, FUNCTIONS_EXECUTE)),
    EVENTING_MANAGE_FUNCTIONS(
            Level.SCOPE,
            "Manage Scope Functions",
            "Manages the functions of a scope. The documents that a function uses need roles of their own.",
            EnumSet.of(BUCKET_ACCESS, FUNCTIONS_READ, FUNCTIONS_MANAGE, FUNCTIONS_EXECUTE)),
    EVENTING_EXECUTE_FUNCTIONS(
            Level.SCOPE,
            "Execute Scope Functions",
            "Calls the functions of a scope over HTTP.",
            EnumSet.of(FUNCTIONS_EXECUTE)),
    STREAMS_READER(Level.NONE, "Streams Reader", "Reads event streams.", EnumSet.of(STREAMS_READ)),
    STREAMS_WRITER(
            Level.NONE,
            "Streams Writer",
            "Reads and appends to event streams.",
            EnumSet.of(STREAMS_READ, STREAMS_WRITE)),
    TOPICS_READER(Level.TOPIC, "Topics Reader", "Follows the messages of a topic.", EnumSet.of(TOPICS_READ));

    /** The deepest target that a role can be granted on. */
    public enum Level {
        /** The role has no target: it is granted on everything. */
        NONE(0),
        BUCKET(1),
        TOPIC(1),
        SCOPE(2),
        KEYSPACE(3);

        private final int depth;

        Level(int depth) {
            this.depth = depth;
        }

        int depth() {
            return depth;
        }
    }

    private final Level level;
    private final String label;
    private final String title;
    private final String description;
    private final Set<Permission> permissions;

    RoleName(Level level, String title, String description, Set<Permission> permissions) {
        this.level = level;
        this.label = name().toLowerCase(Locale.ROOT);
        this.title = title;
        this.description = description;
        this.permissions = permissions;
    }

    /** Returns the role with this spelling, such as {@code data_reader}. */
    public static Optional<RoleName> named(String label) {
        return Stream.of(values()).filter(role -> role.label.equals(label)).findFirst();
    }

    /** Returns the spelling in requests and in stored users: {@code data_reader}. */
    public String label() {
        return label;
    }

    /** Returns the name for people: {@code Data Reader}. */
    public String title() {
        return title;
    }

    /** Returns one sentence that says what the role grants. */
    public String description() {
        return description;
    }

    /** Returns the deepest target of the role. */
    public Level level() {
        return level;
    }

    /** Returns whether only a full administrator may grant or take away the role. */
    public boolean administrative() {
        return permissions.contains(SECURITY_MANAGE) || permissions.contains(CLUSTER_MANAGE);
    }

    boolean grants(Permission permission) {
        return permissions.contains(permission);
    }
}
