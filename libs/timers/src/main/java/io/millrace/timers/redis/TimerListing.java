package io.millrace.timers.redis;

import static io.millrace.redis.Bytes.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore.ListedTimer;
import io.millrace.timers.TimerStore.TimerQuery;
import io.millrace.timers.TimerStore.TimerQuery.Place;
import io.millrace.timers.redis.TimerFunctions.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One listing of a function's timers: ids from all partitions, merged, then the records of those that are shown. When a text
 * in the reference is looked for, Redis itself looks for it: a million ids are not sent to find one.
 */
final class TimerListing {

    /** How many ids are read at a time when most of them may not match. */
    private static final int FILTERED_WINDOW = 1000;

    private final TimerFunctions functions;
    private final TimerGroup group;
    private final TimerKeys keys;
    private final TimerQuery query;

    TimerListing(TimerFunctions functions, TimerGroup group, TimerQuery query) {
        this.functions = functions;
        this.group = group;
        this.keys = new TimerKeys(group);
        this.query = query;
    }

    /** An id in a partition, with its score there. */
    private record Row(int partition, TimerId id, long score) {

        Place place() {
            return new Place(score >= RedisTimerStore.CLAIMED ? score - RedisTimerStore.CLAIMED : score, id.text());
        }
    }

    CompletableFuture<List<ListedTimer>> run() {
        CompletableFuture<List<List<Row>>> waiting = RedisTimerStore.all(group.partitions(), p -> rows(p, 0));
        CompletableFuture<List<List<Row>>> firing =
                RedisTimerStore.all(group.partitions(), p -> rows(p, RedisTimerStore.CLAIMED));
        return waiting.thenCombine(firing, (one, other) -> {
                    List<List<Row>> both = new ArrayList<>(one);
                    both.addAll(other);
                    return both.stream()
                            .flatMap(List::stream)
                            .sorted(Comparator.comparing(Row::place))
                            .limit(query.limit())
                            .toList();
                })
                .thenCompose(this::withRecords);
    }

    /** Returns the first matching ids of a partition; {@code offset} is what is added to their moments. */
    private CompletableFuture<List<Row>> rows(int partition, long offset) {
        Place after = query.after();
        long from = after == null ? query.from() : Math.max(query.from(), after.due());
        Range<Long> range = Range.create(from + offset, query.to() + offset);
        return query.reference() == null && query.document() == null
                ? collect(partition, range, 0, new ArrayList<>())
                : search(partition, bytes(from + offset), bytes(0), range, new ArrayList<>());
    }

    private CompletableFuture<List<Row>> collect(int partition, Range<Long> range, long read, List<Row> matching) {
        int window = query.callback() == null && query.after() == null ? query.limit() : FILTERED_WINDOW;
        return functions
                .command(redis -> redis.zrangebyscoreWithScores(keys.due(partition), range, Limit.create(read, window)))
                .thenCompose(found -> {
                    for (ScoredValue<byte[]> each : found) {
                        add(row(partition, each.getValue(), (long) each.getScore()), matching);
                    }
                    return found.size() < window || matching.size() == query.limit()
                            ? CompletableFuture.completedFuture(matching)
                            : collect(partition, range, read + window, matching);
                });
    }

    /**
     * Adds those that contain the text which is looked for.
     *
     * @param from the moment behind which it goes on
     * @param passed how many of that moment were looked at
     */
    private CompletableFuture<List<Row>> search(
            int partition, byte[] from, byte[] passed, Range<Long> range, List<Row> matching) {
        return functions
                .list(
                        Operation.SEARCH,
                        new byte[][] {keys.due(partition)},
                        from,
                        passed,
                        bytes(range.getUpper().getValue()),
                        bytes(FILTERED_WINDOW),
                        bytes(query.limit()),
                        bytes(text()),
                        bytes(query.document() == null ? "" : "end"))
                .thenCompose(found -> {
                    for (int i = 2; i < found.size(); i += 2) {
                        long score = (long) Double.parseDouble(new String((byte[]) found.get(i + 1), UTF_8));
                        add(row(partition, (byte[]) found.get(i), score), matching);
                    }
                    byte[] next = (byte[]) found.get(0);
                    return next.length == 0 || matching.size() == query.limit()
                            ? CompletableFuture.completedFuture(matching)
                            : search(partition, next, bytes((Long) found.get(1)), range, matching);
                });
    }

    /** What every id that matches has in it: it is the callback, a separator and the reference. */
    private String text() {
        String callback = query.callback() == null ? "" : query.callback();
        return query.document() == null ? String.valueOf(query.reference()) : callback + ':' + query.document();
    }

    private static Row row(int partition, byte[] id, long score) {
        return new Row(partition, TimerId.parse(new String(id, UTF_8)), score);
    }

    private void add(Row row, List<Row> matching) {
        if (matching.size() < query.limit()
                && query.matches(row.id(), row.place().due())) {
            matching.add(row);
        }
    }

    private CompletableFuture<List<ListedTimer>> withRecords(List<Row> rows) {
        Map<Integer, List<Row>> byPartition = rows.stream().collect(Collectors.groupingBy(Row::partition));
        List<Map.Entry<Integer, List<Row>>> parts = List.copyOf(byPartition.entrySet());
        return RedisTimerStore.all(parts.size(), i -> records(parts.get(i)))
                .thenApply(found -> found.stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparing(each ->
                                new Place(each.timer().due(), each.timer().id().text())))
                        .toList());
    }

    /** Leaves out the timers that were removed after their ids were read. */
    private CompletableFuture<List<ListedTimer>> records(Map.Entry<Integer, List<Row>> part) {
        List<Row> rows = part.getValue();
        byte[][] ids = rows.stream().map(row -> bytes(row.id().text())).toArray(byte[][]::new);
        return functions
                .command(redis -> redis.hmget(keys.records(part.getKey()), ids))
                .thenApply(found -> IntStream.range(0, rows.size())
                        .filter(i -> found.get(i).hasValue())
                        .mapToObj(i -> RedisTimerStore.listed(
                                rows.get(i).id(),
                                rows.get(i).score(),
                                found.get(i).getValue()))
                        .toList());
    }
}
