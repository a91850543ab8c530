package io.millrace.documents.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Mutation;
import io.millrace.documents.store.MergedFeed;
import io.millrace.redis.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a bucket of several shards, in the order of a log that readers fill: each first brings everything that has
 * been written before, shard by shard with a cursor that is compared and set, and then reads.
 */
final class RedisMergedChanges implements BucketChanges {

    private static final int MERGED_AT_ONCE = 500;

    private final RedisDocumentStore store;
    private final String name;

    RedisMergedChanges(RedisDocumentStore store, String name) {
        this.store = store;
        this.name = name;
    }

    @Override
    public CompletableFuture<ChangePage> page(ChangePage.Request request) {
        return merged(bucket -> rows(bucket, request)
                .thenCompose(rows -> documents(bucket, rows, request.bodies())
                        .thenApply(documents -> page(request, rows, documents))));
    }

    private CompletionStage<List<Row>> rows(RedisBucket bucket, ChangePage.Request request) {
        byte[] log = Keys.log(name);
        String from = "(" + request.from();
        return (request.newestFirst()
                        ? redis(bucket).zrevrangebyscoreWithScores(log, from, "-inf", 0, request.max())
                        : redis(bucket).zrangebyscoreWithScores(log, from, "+inf", 0, request.max()))
                .thenApply(page -> page.stream().map(Row::decode).toList());
    }

    private CompletableFuture<List<@Nullable Document>> documents(RedisBucket bucket, List<Row> rows, boolean bodies) {
        byte[][] fields = bodies ? DocumentCodec.FIELDS : DocumentCodec.SMALL_FIELDS;
        List<CompletableFuture<@Nullable Document>> reads = new ArrayList<>(rows.size());
        for (Row row : rows) {
            RedisBucket.Collection collection = bucket.collection(row.collection());
            if (collection == null) {
                reads.add(CompletableFuture.completedFuture(null));
            } else {
                DocumentKey key = new DocumentKey(collection.keyspace(), row.id());
                Keys.Shard shard = bucket.place(key, collection).shard();
                reads.add(DocumentCalls.get(redis(bucket), shard, key, row.ref(), fields)
                        .toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).thenApply(done -> {
            List<@Nullable Document> documents = new ArrayList<>(reads.size());
            reads.forEach(read -> documents.add(read.join()));
            return documents;
        });
    }

    private static ChangePage page(ChangePage.Request request, List<Row> rows, List<@Nullable Document> documents) {
        List<Mutation> mutations = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Document document = documents.get(i);
            if (document != null) {
                mutations.add(new Mutation(rows.get(i).seqno(), document));
            }
        }
        long position = rows.isEmpty() ? request.from() : rows.getLast().seqno();
        return new ChangePage(mutations, position, rows.size() == request.max());
    }

    @Override
    public CompletableFuture<Long> high() {
        return merged(bucket -> redis(bucket)
                .hget(Keys.cursors(name), Keys.NEWEST_SEQNO)
                .thenApply(newest -> newest == null ? first(bucket) : Bytes.number(newest, 0)));
    }

    @Override
    public CompletableFuture<Long> backlog(long since) {
        return merged(bucket -> redis(bucket).zcount(Keys.log(name), "(" + since, "+inf"));
    }

    @Override
    public CompletableFuture<OptionalLong> place(Document document) {
        return merged(bucket -> {
            byte[] ref = Keys.ref(
                    bucket.require(document.key().keyspace()).number(),
                    Bytes.bytes(document.key().id()));
            byte[] row = Keys.concat(Bytes.bytes("1" + DocumentCodec.letter(document.state())), ref);
            return redis(bucket)
                    .zscore(Keys.log(name), row)
                    .thenApply(score -> score == null ? OptionalLong.empty() : OptionalLong.of(score.longValue()));
        });
    }

    @Override
    public ChangeFeed feed(long since) {
        return new MergedFeed(this, this::shardFeeds, since);
    }

    private CompletableFuture<List<ChangeFeed>> shardFeeds() {
        return onBucket(bucket -> cursors(bucket)
                .thenApply(cursors -> IntStream.range(0, cursors.length)
                        .mapToObj(shard -> store.changes(name, shard, cursors[shard]))
                        .toList()));
    }

    private <T> CompletableFuture<T> merged(Function<RedisBucket, CompletionStage<T>> read) {
        return onBucket(bucket ->
                goals(bucket).thenCompose(goals -> reach(bucket, goals)).thenCompose(done -> read.apply(bucket)));
    }

    private <T> CompletableFuture<T> onBucket(Function<RedisBucket, CompletionStage<T>> work) {
        return RedisDocumentStore.answer(store.directory().bucket(name).thenCompose(work));
    }

    private CompletionStage<long[]> goals(RedisBucket bucket) {
        List<CompletableFuture<Long>> goals = new ArrayList<>();
        for (int shard = 0; shard < bucket.descriptor.shards(); shard++) {
            goals.add(store.highSeqno(name, shard));
        }
        return CompletableFuture.allOf(goals.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        goals.stream().mapToLong(CompletableFuture::join).toArray());
    }

    /** Returns how far each shard has been merged. */
    private CompletionStage<long[]> cursors(RedisBucket bucket) {
        return redis(bucket).hgetall(Keys.cursors(name)).thenApply(fields -> {
            long[] cursors = new long[bucket.descriptor.shards()];
            String incarnation = "";
            for (Map.Entry<byte[], byte[]> field : fields.entrySet()) {
                String text = Bytes.text(field.getKey());
                if (Character.isDigit(text.charAt(0))) {
                    cursors[Integer.parseInt(text)] = Bytes.number(field.getValue(), 0);
                } else if (text.equals("inc")) {
                    incarnation = Bytes.text(field.getValue());
                }
            }
            return incarnation.equals(Long.toString(bucket.descriptor.incarnation()))
                    ? cursors
                    : new long[cursors.length];
        });
    }

    /** Merges until every shard has reached its goal; other readers may do the same, and each step is done by one of them. */
    private CompletionStage<Void> reach(RedisBucket bucket, long[] goals) {
        return cursors(bucket).thenCompose(cursors -> {
            CompletableFuture<?>[] steps = IntStream.range(0, goals.length)
                    .filter(shard -> cursors[shard] < goals[shard])
                    .mapToObj(shard -> merge(bucket, shard, cursors[shard], goals[shard]))
                    .toArray(CompletableFuture[]::new);
            return steps.length == 0
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.allOf(steps).thenCompose(done -> reach(bucket, goals));
        });
    }

    private CompletableFuture<byte[]> merge(RedisBucket bucket, int shard, long cursor, long goal) {
        return new RedisShard(store.link(), store.directory(), name, shard)
                .rows(cursor, MERGED_AT_ONCE)
                .thenCompose(rows -> {
                    long last = rows.isEmpty() ? cursor : rows.getLast().seqno();
                    long next = rows.size() < MERGED_AT_ONCE ? Math.max(goal, last) : last;
                    List<byte[]> args = new ArrayList<>(rows.size() + 5);
                    args.add(Bytes.bytes(bucket.descriptor.incarnation()));
                    args.add(Bytes.bytes(first(bucket)));
                    args.add(Bytes.bytes(shard));
                    args.add(Bytes.bytes(cursor));
                    args.add(Bytes.bytes(next));
                    rows.forEach(row ->
                            args.add(Keys.concat(Bytes.bytes("1" + DocumentCodec.letter(row.state())), row.ref())));
                    byte[][] keys = {Keys.log(name), Keys.cursors(name)};
                    byte[][] all = args.toArray(byte[][]::new);
                    return store.link()
                            .call(redis -> DocumentFunction.MERGE.call(redis, keys, all))
                            .toCompletableFuture();
                })
                .thenApply(answer -> {
                    if (answer[0] == 'S') {
                        throw DocumentsException.of(
                                DocumentsException.Code.STALE_INCARNATION,
                                "Bucket '%s' has moved on to a newer incarnation.".formatted(name));
                    }
                    return answer;
                });
    }

    private static long first(RedisBucket bucket) {
        return BucketInfo.firstSeqno(bucket.descriptor.incarnation());
    }

    private RedisClusterAsyncCommands<byte[], byte[]> redis(RedisBucket bucket) {
        return store.link().redis();
    }
}
