package io.millrace.documents.redis;

import io.lettuce.core.KeyValue;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.Branch;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.feed.FeedSource;
import io.millrace.documents.store.Checks;
import io.millrace.redis.Bytes;
import io.millrace.redis.RedisFailure;
import io.millrace.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One shard of a bucket as its readers see it. Every call looks the bucket up again. */
final class RedisShard implements FeedSource<Row> {

    private static final byte[] NO_BRANCH = {};

    private final RedisLink link;
    private final CatalogCache directory;
    private final String bucket;
    private final int number;

    RedisShard(RedisLink link, CatalogCache directory, String bucket, int number) {
        this.link = link;
        this.directory = directory;
        this.bucket = bucket;
        this.number = number;
    }

    @Override
    public String topic() {
        return Keys.Shard.of(bucket, number).topic();
    }

    CompletableFuture<Long> highSeqno() {
        return onBucket(found -> link.redis()
                .hget(keys(found).meta(), Keys.NEWEST_SEQNO)
                .thenApply(seqno -> seqno == null
                        ? BucketInfo.firstSeqno(found.descriptor.incarnation())
                        : Bytes.number(seqno, 0)));
    }

    CompletableFuture<Long> backlog(long since) {
        return onBucket(found -> link.redis().zcount(keys(found).order(), "(" + since, "+inf"));
    }

    @Override
    public CompletableFuture<List<Row>> rows(long since, int max) {
        return rows("(" + since, "+inf", max);
    }

    /** Returns the rows after a seqno and up to another, oldest first. */
    CompletableFuture<List<Row>> rows(long since, long until, int max) {
        return rows("(" + since, Long.toString(until), max);
    }

    private CompletableFuture<List<Row>> rows(String from, String to, int max) {
        return onBucket(found -> link.redis()
                .zrangebyscoreWithScores(keys(found).order(), from, to, 0, max)
                .thenApply(RedisShard::decode));
    }

    /** Returns the rows before a seqno, newest first. */
    private CompletableFuture<List<Row>> rowsBefore(long until, int max) {
        return onBucket(found -> link.redis()
                .zrevrangebyscoreWithScores(keys(found).order(), "(" + until, "-inf", 0, max)
                .thenApply(RedisShard::decode));
    }

    CompletableFuture<ChangePage> page(ChangePage.Request request) {
        CompletableFuture<List<Row>> reading =
                request.newestFirst() ? rowsBefore(request.from(), request.max()) : rows(request.from(), request.max());
        return reading.thenCompose(rows -> {
            if (rows.isEmpty()) {
                return CompletableFuture.completedFuture(new ChangePage(List.of(), request.from(), false));
            }
            byte[][] fields = request.bodies() ? DocumentCodec.FIELDS : DocumentCodec.SMALL_FIELDS;
            return documents(rows, fields)
                    .thenApply(documents -> new ChangePage(
                            mutations(rows, documents), rows.getLast().seqno(), rows.size() == request.max()));
        });
    }

    private static List<Mutation> mutations(List<Row> rows, List<@Nullable Document> documents) {
        List<Mutation> mutations = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Document document = documents.get(i);
            if (document != null) {
                mutations.add(new Mutation(rows.get(i).seqno(), document));
            }
        }
        return mutations;
    }

    private static List<Row> decode(List<ScoredValue<byte[]>> page) {
        List<Row> rows = new ArrayList<>(page.size());
        for (ScoredValue<byte[]> scored : page) {
            rows.add(Row.decode(scored));
        }
        return rows;
    }

    @Override
    public CompletableFuture<List<@Nullable Document>> documents(List<Row> rows) {
        return documents(rows, DocumentCodec.FIELDS);
    }

    private CompletableFuture<List<@Nullable Document>> documents(List<Row> rows, byte[][] fields) {
        return onBucket(found -> rows.stream().allMatch(row -> found.collection(row.collection()) != null)
                ? documents(found, rows, fields)
                : directory.refresh().thenCompose(fresh -> documents(fresh.require(bucket), rows, fields)));
    }

    private CompletionStage<List<@Nullable Document>> documents(RedisBucket found, List<Row> rows, byte[][] fields) {
        Keys.Shard shard = keys(found);
        List<CompletableFuture<@Nullable Document>> answers = new ArrayList<>(rows.size());
        for (Row row : rows) {
            RedisBucket.Collection collection = found.collection(row.collection());
            answers.add(
                    collection == null
                            ? CompletableFuture.completedFuture(null)
                            : DocumentCalls.get(
                                            link.redis(),
                                            shard,
                                            new DocumentKey(collection.keyspace(), row.id()),
                                            row.ref(),
                                            fields)
                                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<@Nullable Document> documents = new ArrayList<>(answers.size());
                    answers.forEach(answer -> documents.add(answer.join()));
                    return documents;
                });
    }

    @Override
    public CompletableFuture<Long> newest() {
        return onBucket(found ->
                seqno(redis -> DocumentFunction.NEWEST.call(redis, keys(found).meta(), found.gate)));
    }

    /** Notes that this process knows of a seqno. */
    void saw(long seqno) {
        directory.saw(topic(), seqno);
    }

    @Override
    public CompletableFuture<Long> arm(long since) {
        byte[] position = Bytes.bytes(since);
        return onBucket(found -> seqno(
                        redis -> DocumentFunction.ARM.call(redis, keys(found).meta(), found.gate, position))
                .exceptionallyCompose(failure ->
                        RedisFailure.takesNoWrites(failure) ? unarmed(since) : CompletableFuture.failedStage(failure)));
    }

    /** Looks again and again while Redis takes no writes, so that no notification can be requested, and nothing is there to read. */
    private CompletableFuture<Long> unarmed(long since) {
        return newest().thenCompose(newest -> newest == since
                ? CompletableFuture.supplyAsync(
                                () -> arm(since),
                                CompletableFuture.delayedExecutor(Limits.SLOW_POLL.toMillis(), TimeUnit.MILLISECONDS))
                        .thenCompose(armed -> armed)
                : CompletableFuture.completedFuture(newest));
    }

    private CompletionStage<Long> seqno(
            Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<byte[]>> question) {
        return link.call(question).thenApply(answer -> answer[0] == 'S' ? STALE : Bytes.number(answer, 0));
    }

    /** Makes a stale shard usable again, or fails with what has become of its bucket. */
    CompletableFuture<Boolean> reopen() {
        return RedisDocumentStore.answer(directory.refresh().thenCompose(fresh -> {
            RedisBucket found = fresh.require(bucket);
            return ShardGate.open(link, directory, found, keys(found));
        }));
    }

    /** Opens the shard unless it was opened in this run of Redis, and returns where its history branched last. */
    CompletableFuture<Branch> branch() {
        return newest().thenCompose(newest -> newest == STALE ? reopen() : CompletableFuture.completedFuture(true))
                .thenCompose(open -> onBucket(found -> link.redis()
                        .hmget(keys(found).meta(), Keys.LOST, Keys.RUN)
                        .thenApply(fields -> branch(fields.get(0), fields.get(1)))));
    }

    private static Branch branch(KeyValue<byte[], byte[]> lost, KeyValue<byte[], byte[]> run) {
        String[] numbers = Bytes.text(lost.getValueOrElse(NO_BRANCH)).split(" ");
        List<Branch.Stretch> stretches = new ArrayList<>();
        for (int i = 0; i + 1 < numbers.length; i += 2) {
            stretches.add(new Branch.Stretch(Long.parseLong(numbers[i]), Long.parseLong(numbers[i + 1])));
        }
        return new Branch(List.copyOf(stretches), Bytes.text(run.getValueOrElse(NO_BRANCH)));
    }

    private Keys.Shard keys(RedisBucket found) {
        Checks.shardOf(found.descriptor, number);
        return found.shard(number);
    }

    private <T> CompletableFuture<T> onBucket(Function<RedisBucket, CompletionStage<T>> work) {
        return RedisDocumentStore.answer(directory.bucket(bucket).thenCompose(work));
    }
}
