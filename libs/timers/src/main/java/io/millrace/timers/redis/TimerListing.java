package io.millrace.timers.redis;

import static io.millrace.redis.Bytes.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScoredValue;
import io.millrace.redis.Bytes;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore.ListedTimer;
import io.millrace.timers.TimerStore.TimerQuery;
import io.millrace.timers.TimerStore.TimerQuery.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One listing of a function's timers: ids from all partitions, merged, then the records of those that are shown. When a text
 * in the reference is looked for and rare, Redis itself looks for it: a million ids are not sent to find one.
 */
final class TimerListing {

    /** How many ids are read at a time when most of them may not match. */
    private static final int FILTERED_WINDOW = 1000;

    /** The characters that mean something else in a pattern of Redis. */
    private static final Pattern SPECIAL = Pattern.compile("[*?\\[\\]\\\\]");

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
        return collect(partition, range, 0, new ArrayList<>());
    }

    private CompletableFuture<List<Row>> collect(int partition, Range<Long> range, long read, List<Row> matching) {
        int window = query.callback() == null
                        && query.reference() == null
                        && query.document() == null
                        && query.after() == null
                ? query.limit()
                : FILTERED_WINDOW;
        return functions
                .command(redis -> redis.zrangebyscoreWithScores(keys.due(partition), range, Limit.create(read, window)))
                .thenCompose(found -> {
                    for (ScoredValue<byte[]> each : found) {
                        Row row = new Row(
                                partition, TimerId.parse(new String(each.getValue(), UTF_8)), (long) each.getScore());
                        if (matching.size() < query.limit()
                                && query.matches(row.id(), row.place().due())) {
                            matching.add(row);
                        }
                    }
                    if (found.size() < window || matching.size() == query.limit()) {
                        return CompletableFuture.completedFuture(matching);
                    }
                    return query.reference() == null && query.document() == null
                            ? collect(partition, range, read + window, matching)
                            : search(partition, range);
                });
    }

    private CompletableFuture<List<Row>> search(int partition, Range<Long> range) {
        ScanArgs matching = ScanArgs.Builder.limit(FILTERED_WINDOW).match(bytes(pattern()));
        return scan(partition, ScanCursor.INITIAL, matching, new LinkedHashSet<>())
                .thenCompose(ids -> ids.isEmpty()
                        ? CompletableFuture.completedFuture(List.of())
                        : inRange(partition, range, List.copyOf(ids)));
    }

    /** What an id must be like as a whole. It may match and not fit, when there is the separator in a reference. */
    private String pattern() {
        String callback = query.callback() == null ? "*" : literal(query.callback());
        return query.document() == null
                ? callback + ":*" + literal(String.valueOf(query.reference())) + '*'
                : callback + ':' + literal(query.document());
    }

    private static String literal(String text) {
        return SPECIAL.matcher(text).replaceAll("\\\\$0");
    }

    private CompletableFuture<Set<String>> scan(int partition, ScanCursor cursor, ScanArgs matching, Set<String> ids) {
        return functions
                .command(redis -> redis.hscan(keys.records(partition), cursor, matching))
                .thenCompose(found -> {
                    found.getMap().keySet().forEach(id -> ids.add(new String(id, UTF_8)));
                    return found.isFinished()
                            ? CompletableFuture.completedFuture(ids)
                            : scan(partition, found, matching, ids);
                });
    }

    /** Returns the first of these ids that are due in the range, those of removed timers left out. */
    private CompletableFuture<List<Row>> inRange(int partition, Range<Long> range, List<String> ids) {
        byte[][] names = ids.stream().map(Bytes::bytes).toArray(byte[][]::new);
        return functions
                .command(redis -> redis.zmscore(keys.due(partition), names))
                .thenApply(scores -> IntStream.range(0, ids.size())
                        .filter(i -> scores.get(i) != null
                                && scores.get(i) >= range.getLower().getValue()
                                && scores.get(i) <= range.getUpper().getValue())
                        .mapToObj(i -> new Row(
                                partition,
                                TimerId.parse(ids.get(i)),
                                scores.get(i).longValue()))
                        .filter(row -> query.matches(row.id(), row.place().due()))
                        .sorted(Comparator.comparing(Row::place))
                        .limit(query.limit())
                        .toList());
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
