package io.millrace.documents.redis;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Limits;
import io.millrace.documents.redis.RedisIndexes.Part;
import io.millrace.redis.Bytes;
import io.millrace.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Brings an index in one shard up to a seqno, a page of by_seq at a time. A page is applied only to an index that has
 * come to where the page starts, so several processes may do the same: of two pages one counts. A document that has
 * changed again since its row was read is applied as it is then, and once more when its later row comes.
 */
final class IndexUpdate {

    private static final int FIRST_PAGE_ROWS = 64;

    private final RedisLink link;
    private final Part part;
    private final RedisShard reader;
    private final long to;
    private int page = FIRST_PAGE_ROWS;

    IndexUpdate(RedisLink link, CatalogCache directory, Part part, long to) {
        this.link = link;
        this.part = part;
        this.to = to;
        this.reader = new RedisShard(link, directory, part.bucket().descriptor.name(), part.number());
    }

    CompletionStage<Boolean> run(long from) {
        if (from >= to) {
            return CompletableFuture.completedStage(true);
        }
        int max = page;
        return reader.rows(from, to, max).thenCompose(rows -> {
            long reached = rows.size() < max ? to : rows.getLast().seqno();
            List<Row> own = rows.stream().filter(this::isOwn).toList();
            return reader.documents(own)
                    .thenComposeAsync(documents -> apply(from, reached, arguments(own, documents)))
                    .thenCompose(applied -> applied ? run(reached) : again());
        });
    }

    private boolean isOwn(Row row) {
        return row.collection() == Row.collection(part.name());
    }

    private List<byte[]> arguments(List<Row> rows, List<@Nullable Document> documents) {
        List<byte[]> args = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < rows.size(); i++) {
            Document document = documents.get(i);
            boolean live = document != null && document.live();
            List<byte[]> entries = live ? part.index().entries().apply(document) : List.of();
            args.add(Bytes.bytes(rows.get(i).id()));
            args.add(Bytes.bytes(entries.size()));
            args.addAll(entries);
            bytes += live ? document.body().length : 0;
        }
        page = nextPage(bytes / Math.max(1, rows.size()));
        return args;
    }

    /** Keeps pages of large documents small. */
    private int nextPage(long bytesPerDocument) {
        long fitting = Limits.FEED_PAGE_BYTES / Math.max(1, bytesPerDocument);
        return (int) Math.clamp(Math.min(fitting, page * 2L), 1, Limits.MAX_INDEX_PAGE_ROWS);
    }

    /** Returns false when another process was faster. */
    private CompletionStage<Boolean> apply(long from, long reached, List<byte[]> documents) {
        byte[][] keys = {part.shard().meta(), part.shard().indexes(), part.entries(), part.owners()};
        List<byte[]> args =
                new ArrayList<>(List.of(part.bucket().gate, part.name(), Bytes.bytes(from), Bytes.bytes(reached)));
        args.addAll(documents);
        return link.call(redis -> DocumentFunction.INDEX.call(redis, keys, args.toArray(byte[][]::new)))
                .thenCompose(answer -> answer[0] == 'S'
                        ? CompletableFuture.failedStage(DocumentsException.indexNotFound(
                                part.collection().keyspace()))
                        : CompletableFuture.completedStage(answer[0] == 'O'));
    }

    private CompletionStage<Boolean> again() {
        return link.call(redis -> redis.hget(part.shard().indexes(), part.name()))
                .thenCompose(come -> come == null
                        ? CompletableFuture.failedStage(DocumentsException.indexNotFound(
                                part.collection().keyspace()))
                        : run(Bytes.number(come, 0)));
    }
}
