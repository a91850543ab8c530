package io.millrace.subdocservice;

import static io.millrace.accessspring.Need.Place.BUCKET;
import static io.millrace.accessspring.Need.Place.KEYSPACE;
import static io.millrace.accessspring.Need.Place.SCOPE;
import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.PATCH;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;

import io.millrace.access.Permission;
import io.millrace.accessspring.CouchSessions;
import io.millrace.accessspring.Doors;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What each route of this service needs. */
@Configuration(proxyBeanMethods = false)
class SubdocDoors {

    private static final String BUCKETS_PATH = "/api/v1/buckets";
    private static final String BUCKET_PATH = BUCKETS_PATH + "/{bucket}";
    private static final String SCOPES_PATH = BUCKET_PATH + "/scopes";
    private static final String SCOPE_PATH = SCOPES_PATH + "/{scope}";
    private static final String COLLECTIONS_PATH = SCOPE_PATH + "/collections";
    private static final String COLLECTION_PATH = COLLECTIONS_PATH + "/{collection}";
    private static final String POOL_PATH = "/pools/default";

    @Bean
    Doors doors() {
        Doors.Builder doors = Doors.table().usual();
        documents(doors, BUCKET_PATH);
        documents(doors, COLLECTION_PATH);
        buckets(doors);
        pools(doors);
        users(doors);
        queries(doors);
        return doors.feeds(
                        BUCKET_PATH + "/live",
                        COLLECTION_PATH + "/live",
                        "/couch/{database}/_changes/**",
                        POOL_PATH + "/bs/{bucket}")
                .build();
    }

    private static void documents(Doors.Builder doors, String keyspace) {
        String document = keyspace + "/docs/{id}";
        doors.on(KEYSPACE, Permission.DATA_READ, GET, document, document + "/xattrs", keyspace + "/live")
                .on(KEYSPACE, Permission.DATA_READ, POST, document + "/lookup-in")
                .on(KEYSPACE, Permission.DATA_WRITE, PUT, document, document + "/xattrs")
                .on(
                        KEYSPACE,
                        Permission.DATA_WRITE,
                        POST,
                        document,
                        document + "/mutate-in",
                        document + "/touch",
                        keyspace + "/bulk")
                .on(KEYSPACE, Permission.DATA_WRITE, DELETE, document, document + "/xattrs");
    }

    private static void buckets(Doors.Builder doors) {
        doors.known(GET, BUCKETS_PATH)
                .on(BUCKET, Permission.BUCKET_ACCESS, GET, BUCKET_PATH, SCOPES_PATH)
                .on(BUCKET, Permission.BUCKET_MANAGE, PUT, BUCKET_PATH)
                .on(BUCKET, Permission.BUCKET_MANAGE, DELETE, BUCKET_PATH)
                .on(SCOPE, Permission.BUCKET_ACCESS, GET, SCOPE_PATH, COLLECTIONS_PATH, COLLECTION_PATH)
                .on(SCOPE, Permission.COLLECTIONS_MANAGE, PUT, SCOPE_PATH, COLLECTION_PATH)
                .on(SCOPE, Permission.COLLECTIONS_MANAGE, DELETE, SCOPE_PATH, COLLECTION_PATH)
                .cluster(Permission.CLUSTER_MANAGE, GET, "/api/v1/move")
                .cluster(Permission.CLUSTER_MANAGE, POST, "/api/v1/move")
                .cluster(Permission.CLUSTER_MANAGE, DELETE, "/api/v1/move");
    }

    private static void pools(Doors.Builder doors) {
        String buckets = POOL_PATH + "/buckets";
        String bucket = buckets + "/{bucket}";
        String scope = bucket + "/scopes/{scope}";
        doors.known(GET, "/pools", POOL_PATH, POOL_PATH + "/nodeServices", buckets, buckets + "/")
                .on(
                        BUCKET,
                        Permission.BUCKET_ACCESS,
                        GET,
                        POOL_PATH + "/b/{bucket}",
                        POOL_PATH + "/bs/{bucket}",
                        bucket,
                        bucket + "/scopes")
                .cluster(Permission.BUCKET_MANAGE, POST, buckets, buckets + "/") // its name is in the body
                .on(BUCKET, Permission.BUCKET_MANAGE, POST, bucket, bucket + "/controller/doFlush")
                .on(BUCKET, Permission.BUCKET_MANAGE, DELETE, bucket)
                .on(BUCKET, Permission.COLLECTIONS_MANAGE, POST, bucket + "/scopes")
                .on(SCOPE, Permission.COLLECTIONS_MANAGE, POST, scope + "/collections")
                .on(SCOPE, Permission.COLLECTIONS_MANAGE, DELETE, scope, scope + "/collections/{collection}")
                .on(SCOPE, Permission.COLLECTIONS_MANAGE, PATCH, scope + "/collections/{collection}")
                .delegated(List.of( // they only say what to use instead, after a login
                        "/pools/**",
                        "/settings/**",
                        "/controller/**",
                        "/node/**",
                        "/nodes/**",
                        "/nodeInit",
                        "/sampleBuckets/**"));
    }

    /** Who may grant which role is decided by the handlers. */
    private static void users(Doors.Builder doors) {
        String users = "/settings/rbac/users";
        String user = users + "/{domain}/{user}";
        String keys = "/api/v1/keys";
        doors.known(GET, "/whoami", "/settings/rbac/roles")
                .known(POST, "/controller/changePassword")
                .cluster(Permission.SECURITY_READ, GET, users, users + "/{domain}", user, keys)
                .cluster(Permission.SECURITY_MANAGE, PUT, user)
                .cluster(Permission.SECURITY_MANAGE, PATCH, user)
                .cluster(Permission.SECURITY_MANAGE, DELETE, user, keys + "/{key}")
                .cluster(Permission.SECURITY_MANAGE, POST, keys);
    }

    private static void queries(Doors.Builder doors) {
        doors.open("/admin/ping")
                .known(GET, "/query/service") // each statement asks for its keyspaces
                .known(POST, "/query/service")
                .cluster(Permission.QUERY_SYSTEM, GET, "/admin/active_requests", "/admin/active_requests/{requestId}")
                .cluster(Permission.QUERY_SYSTEM, DELETE, "/admin/active_requests/{requestId}")
                .delegated(POST, CouchSessions.PATH)
                .delegated(DELETE, CouchSessions.PATH)
                .delegated(List.of("/couch", "/couch/**"));
    }
}
