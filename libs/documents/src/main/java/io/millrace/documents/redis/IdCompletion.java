package io.millrace.documents.redis;

import io.lettuce.core.Range;
import io.millrace.documents.Document;
import io.millrace.redis.Bytes;
import io.millrace.redis.RedisLink;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Enters the documents of a collection in one shard among its ids: an earlier version wrote documents without. */
final class IdCompletion {

    private static final int PAGE_ROWS = 500;

    private final RedisLink link;
    private final RedisIndexes.Part part;
    private final RedisShard reader;

    IdCompletion(RedisLink link, CatalogCache directory, RedisIndexes.Part part) {
        this.link = link;
        this.part = part;
        this.reader = new RedisShard(link, directory, part.bucket().descriptor.name(), part.number());
    }

    /** Walks through by_seq when there are fewer ids than documents. */
    CompletionStage<Boolean> run() {
        byte[] number = part.collection().number();
        Range<byte[]> own = Range.from(
                Range.Boundary.including(Keys.concat(number, new byte[] {':'})),
                Range.Boundary.excluding(Keys.concat(number, new byte[] {':' + 1})));
        return link.call(redis -> redis.hget(
                                part.shard().meta(), part.collection().counter())
                        .thenCombine(
                                redis.zlexcount(part.shard().ids(), own),
                                (count, ids) -> count != null && Bytes.number(count, 0) > ids))
                .thenCompose(fewer -> fewer ? walk(0) : CompletableFuture.completedStage(false));
    }

    private CompletionStage<Boolean> walk(long since) {
        return reader.rows(since, PAGE_ROWS).thenCompose(rows -> {
            if (rows.isEmpty()) {
                return CompletableFuture.completedStage(true);
            }
            List<Row> own = rows.stream()
                    .filter(row -> row.collection() == Row.collection(part.name()))
                    .filter(row -> row.state() == Document.State.LIVE)
                    .toList();
            long last = rows.getLast().seqno();
            return own.isEmpty() ? walk(last) : adopt(own).thenCompose(done -> walk(last));
        });
    }

    private CompletionStage<byte[]> adopt(List<Row> rows) {
        byte[][] keys = new byte[rows.size() + 1][];
        byte[][] refs = new byte[rows.size()][];
        keys[0] = part.shard().ids();
        for (int i = 0; i < refs.length; i++) {
            refs[i] = rows.get(i).ref();
            keys[i + 1] = part.shard().document(refs[i]);
        }
        return link.call(redis -> DocumentFunction.ADOPT.call(redis, keys, refs));
    }
}
