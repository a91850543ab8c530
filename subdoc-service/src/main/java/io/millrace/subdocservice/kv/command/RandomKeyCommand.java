package io.millrace.subdocservice.kv.command;

import static io.millrace.subdocservice.kv.command.Command.Part.NONE;

import io.millrace.access.Permission;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Leb128;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.kv.command.Command.Access;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Any document of a collection, for clients that look at what there is. */
final class RandomKeyCommand {

    private static final int COLLECTION_BYTES = 4;

    /** Among so many neighbours one is chosen. */
    private static final int NEIGHBOURS = 32;

    private final DocumentCommands documents;
    private final DocumentAccess access;
    private final Rights rights;
    private final RandomGenerator random;

    RandomKeyCommand(DocumentAccess access, Rights rights, RandomGenerator random) {
        this.access = access;
        this.documents = new DocumentCommands(access);
        this.rights = rights;
        this.random = random;
    }

    Map<Opcode, Command> commands() {
        return Map.of(
                Opcode.GET_RANDOM_KEY,
                new Command(
                        Access.BUCKET,
                        Set.of(Permission.BUCKET_ACCESS),
                        new int[] {0, COLLECTION_BYTES},
                        NONE,
                        NONE,
                        false,
                        this::random));
    }

    private CompletableFuture<Response> random(Session session, Request request) {
        BucketInfo bucket = session.bucket();
        Keyspace keyspace = request.extrasLength() == 0
                ? Keyspace.of(bucket.name())
                : CollectionIds.keyspace(bucket, request.extra32(0));
        rights.checkReading(session, keyspace);
        byte[] prefix =
                session.has(Feature.COLLECTIONS) ? Leb128.encode(CollectionIds.id(bucket, keyspace)) : new byte[0];
        int json = session.json();
        return changedOnce(bucket, keyspace)
                .thenCompose(ids -> read(keyspace, ids, prefix, json))
                .thenCompose(found -> found.status() == Status.SUCCESS
                        ? CompletableFuture.completedFuture(found)
                        : access.store
                                .ids(keyspace, IdRange.ALL, NEIGHBOURS)
                                .thenCompose(ids -> read(keyspace, ids, prefix, json)));
    }

    /** Returns documents that were changed after a random moment of the history. */
    private CompletableFuture<List<String>> changedOnce(BucketInfo bucket, Keyspace keyspace) {
        int shard = random.nextInt(bucket.shards());
        long first = BucketInfo.firstSeqno(bucket.incarnation());
        return access.store
                .highSeqno(bucket.name(), shard)
                .thenCompose(newest -> access.store.page(
                        bucket.name(),
                        shard,
                        new ChangePage.Request(
                                newest > first ? random.nextLong(first, newest) : first, false, NEIGHBOURS, false)))
                .thenApply(page -> page.mutations().stream()
                        .map(mutation -> mutation.document())
                        .filter(document ->
                                document.live() && document.key().keyspace().equals(keyspace))
                        .map(document -> document.key().id())
                        .toList());
    }

    private CompletableFuture<Response> read(Keyspace keyspace, List<String> ids, byte[] prefix, int json) {
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(Response.of(Status.KEY_ENOENT));
        }
        String id = ids.get(random.nextInt(ids.size()));
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        key.writeBytes(prefix);
        key.writeBytes(id.getBytes(StandardCharsets.UTF_8));
        return access.read(
                new DocumentKey(keyspace, id),
                document -> documents.found(document, json).withKey(key.toByteArray()));
    }
}
