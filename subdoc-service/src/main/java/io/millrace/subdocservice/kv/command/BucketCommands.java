package io.millrace.subdocservice.kv.command;

import static io.millrace.subdocservice.kv.command.Command.Part.ANY;
import static io.millrace.subdocservice.kv.command.Command.Part.NONE;
import static io.millrace.subdocservice.kv.command.Command.Part.SOME;

import io.millrace.access.Permission;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.cluster.ClusterConfig;
import io.millrace.subdocservice.cluster.CollectionsManifest;
import io.millrace.subdocservice.kv.command.Command.Access;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Commands on buckets, collections and the cluster configuration. */
final class BucketCommands {

    private static final int KNOWN_VERSION_BYTES = 16;

    private final DocumentStore store;
    private final Rights rights;
    private final Supplier<ClusterConfig> cluster;

    BucketCommands(DocumentStore store, Rights rights, Supplier<ClusterConfig> cluster) {
        this.store = store;
        this.rights = rights;
        this.cluster = cluster;
    }

    Map<Opcode, Command> commands() {
        return Map.of(
                Opcode.SELECT_BUCKET,
                new Command(Access.LOGGED_IN, Set.of(), new int[] {0}, SOME, NONE, false, this::select),
                Opcode.GET_CLUSTER_CONFIG,
                Command.open(NONE, NONE, this::config).forUsers().extras(0, KNOWN_VERSION_BYTES),
                Opcode.GET_COLLECTIONS_MANIFEST,
                Command.open(NONE, NONE, BucketCommands::manifest).needing(Permission.BUCKET_ACCESS),
                Opcode.GET_COLLECTION_ID,
                Command.open(ANY, ANY, BucketCommands::collectionId).needing(Permission.BUCKET_ACCESS),
                Opcode.GET_SCOPE_ID,
                Command.open(ANY, ANY, BucketCommands::scopeId).needing(Permission.BUCKET_ACCESS));
    }

    private CompletableFuture<Response> select(Session session, Request request) {
        String name = new String(request.key(), StandardCharsets.UTF_8);
        rights.checkBucket(session, name);
        // a connection starts no other request until this one has its response
        return store.catalog()
                .find(name)
                .thenApply(found -> found.map(bucket -> {
                            session.select(bucket);
                            return Response.of(Status.SUCCESS);
                        })
                        .orElseGet(() -> Response.error(Status.KEY_ENOENT, "The bucket does not exist")));
    }

    private Response config(Session session, Request request) {
        ClusterConfig config = cluster.get();
        Response response = Response.of(Status.SUCCESS).withDatatype(session.json());
        if (request.extrasLength() == KNOWN_VERSION_BYTES && upToDate(config, request.extra64(0), request.extra64(8))) {
            return response.withDatatype(Datatypes.RAW);
        }
        return response.withValue(session.bucketName() == null ? config.global() : config.bucket(session.bucket()));
    }

    private static boolean upToDate(ClusterConfig config, long epoch, long revision) {
        return epoch > config.epoch() || epoch == config.epoch() && revision >= config.revision();
    }

    private static Response manifest(Session session, Request request) {
        return Response.of(Status.SUCCESS)
                .withDatatype(session.json())
                .withValue(CollectionsManifest.json(session.bucket()));
    }

    private static Response collectionId(Session session, Request request) {
        BucketInfo bucket = session.bucket();
        String[] names = path(request).split("\\.", -1);
        if (names.length != 2) {
            throw CommandException.of(Status.EINVAL, "The path of a collection must be <scope>.<collection>");
        }
        Keyspace keyspace = new Keyspace(bucket.name(), orDefault(names[0]), orDefault(names[1]));
        if (!bucket.scopes().containsKey(keyspace.scope())) {
            return CollectionIds.unknownScope(bucket);
        }
        return id(bucket, CollectionIds.id(bucket, keyspace));
    }

    private static Response scopeId(Session session, Request request) {
        BucketInfo bucket = session.bucket();
        String scope = orDefault(path(request));
        return bucket.scopes().containsKey(scope)
                ? id(bucket, CollectionsManifest.scopeId(scope))
                : CollectionIds.unknownScope(bucket);
    }

    private static Response id(BucketInfo bucket, int id) {
        return Response.of(Status.SUCCESS).withExtras(BigEndian.of(bucket.manifest(), id));
    }

    /** Returns the path; older clients send it in the key, newer ones in the value. */
    private static String path(Request request) {
        byte[] path = request.valueLength() > 0 ? request.value() : request.key();
        return new String(path, StandardCharsets.UTF_8);
    }

    private static String orDefault(String name) {
        return name.isEmpty() ? Keyspace.DEFAULT : name;
    }
}
