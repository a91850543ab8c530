package io.millrace.subdocservice;

import static io.millrace.accessspring.Need.Place.BUCKET;
import static io.millrace.accessspring.Need.Place.KEYSPACE;
import static io.millrace.accessspring.Need.Place.SCOPE;
import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;

import io.millrace.access.Permission;
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
        queries(doors);
        return doors.build();
    }

    private static void documents(Doors.Builder doors, String keyspace) {
        String document = keyspace + "/docs/{id}";
        doors.on(KEYSPACE, Permission.DATA_READ, GET, document, document + "/xattrs")
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
        doors.known(GET, "/pools", POOL_PATH, POOL_PATH + "/nodeServices", POOL_PATH + "/buckets")
                .on(
                        BUCKET,
                        Permission.BUCKET_ACCESS,
                        GET,
                        POOL_PATH + "/b/{bucket}",
                        POOL_PATH + "/bs/{bucket}",
                        POOL_PATH + "/buckets/{bucket}");
    }

    private static void queries(Doors.Builder doors) {
        doors.open("/admin/ping")
                .known(GET, "/query/service") // each statement asks for its keyspaces
                .known(POST, "/query/service")
                .cluster(Permission.QUERY_SYSTEM, GET, "/admin/active_requests", "/admin/active_requests/{requestId}")
                .cluster(Permission.QUERY_SYSTEM, DELETE, "/admin/active_requests/{requestId}")
                .delegated(List.of("/couch", "/couch/**"));
    }
}
