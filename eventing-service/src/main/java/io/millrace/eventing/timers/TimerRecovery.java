package io.millrace.eventing.timers;

import static java.util.stream.Collectors.joining;

import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.timers.NewTimer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerStore.Change;
import io.millrace.timers.TimerStore.TimerMark;
import io.millrace.timers.TimerTrace;
import io.millrace.timers.firing.TimerScanner.PartitionScan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Detects that the timer store has lost document timers, and restores them from the traces in the documents (seed
 * document 000, "Failure Handling of timers"). Used by one thread.
 *
 * <p>Each partition stores a mark with its timers: the change of the source up to which it contains all document
 * timers. A mark behind the one that this owner wrote last, or at the start behind the checkpoints, says which part of
 * the feed must be read again for traces; handlers do not run.
 */
public final class TimerRecovery {

    private static final Logger LOG = LoggerFactory.getLogger(TimerRecovery.class);
    private static final int PAGE_ROWS = Math.min(1000, Limits.MAX_PAGE_MUTATIONS);
    private static final long ANSWER_SECONDS = 10;
    private static final JsonMapper JSON = new JsonMapper();

    /** Differs from every mark. */
    private static final String UNKNOWN = "?";

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final TimerGroup group;
    private final Predicate<Document> inSource;
    private final long[] handled;
    private final Map<Integer, String> known = new HashMap<>();

    /**
     * @param handled by shard of the source, the seqno up to which everything is handled according to the checkpoints,
     *     or 0
     */
    public TimerRecovery(
            FunctionSpec spec, RuntimeEnvironment environment, Predicate<Document> inSource, long[] handled) {
        this.spec = spec;
        this.environment = environment;
        this.group = TimerGroups.group(spec);
        this.inSource = inSource;
        this.handled = handled;
    }

    /**
     * Restores lost timers of these partitions, and moves the marks of the others to the newest change of the source.
     * Returns the number of restored timers.
     */
    public int check(List<PartitionScan> owned) throws InterruptedException, ExecutionException, TimeoutException {
        String next = text(newest());
        List<CompletableFuture<Optional<String>>> answers = new ArrayList<>();
        for (PartitionScan each : owned) {
            String expected = known.getOrDefault(each.partition(), UNKNOWN);
            answers.add(
                    environment.timers().mark(group, new TimerMark(each.partition(), each.epoch(), expected, next)));
        }
        Map<Integer, String> behind = new HashMap<>();
        for (int i = 0; i < answers.size(); i++) {
            int partition = owned.get(i).partition();
            @Nullable String noted = await(answers.get(i)).orElse(null);
            if (noted == null) {
                known.remove(partition); // another node owns it now
            } else if (noted.equals(next)) {
                known.put(partition, next);
            } else if (!known.containsKey(partition) && covers(noted)) {
                known.put(partition, noted);
            } else {
                behind.put(partition, noted);
            }
        }
        if (behind.isEmpty()) {
            return 0;
        }
        int restored = restore(behind);
        known.putAll(behind);
        return restored;
    }

    /** A trace is written after its timer, so every trace that exists now had its timer in the store. */
    private long[] newest() throws InterruptedException, ExecutionException, TimeoutException {
        long[] newest = new long[handled.length];
        for (int shard = 0; shard < newest.length; shard++) {
            newest[shard] = await(
                    environment.documents().highSeqno(spec.source().keyspace().bucket(), shard));
        }
        return newest;
    }

    private boolean covers(String mark) {
        long[] positions = positions(mark);
        for (int shard = 0; shard < handled.length; shard++) {
            if (mark.isEmpty() || positions[shard] < handled[shard]) {
                return false;
            }
        }
        return true;
    }

    private int restore(Map<Integer, String> behind) throws InterruptedException, ExecutionException, TimeoutException {
        long[] from = new long[handled.length];
        Arrays.fill(from, Long.MAX_VALUE);
        for (String mark : behind.values()) {
            long[] positions = positions(mark);
            for (int shard = 0; shard < from.length; shard++) {
                from[shard] = Math.min(from[shard], positions[shard]);
            }
        }
        int restored = 0;
        for (int shard = 0; shard < from.length; shard++) {
            restored += restore(behind.keySet(), shard, from[shard]);
        }
        if (restored > 0) {
            LOG.warn(
                    "event=timers_restored function={} partitions={} from={} timers={}",
                    spec.name(),
                    behind.size(),
                    text(from),
                    restored);
        }
        return restored;
    }

    /** Documents that change meanwhile move to the end of the feed and are read there. */
    private int restore(Set<Integer> partitions, int shard, long from)
            throws InterruptedException, ExecutionException, TimeoutException {
        int restored = 0;
        long position = from;
        while (true) {
            ChangePage page = await(environment
                    .documents()
                    .page(
                            spec.source().keyspace().bucket(),
                            shard,
                            new ChangePage.Request(position, false, PAGE_ROWS, false)));
            List<CompletableFuture<Change>> calls = new ArrayList<>();
            for (Mutation mutation : page.mutations()) {
                for (NewTimer timer : timers(mutation.document())) {
                    if (partitions.contains(group.partitionOf(timer.id()))) {
                        calls.add(environment.timers().restore(group, timer));
                    }
                }
            }
            for (CompletableFuture<Change> call : calls) {
                restored += await(call) == Change.DONE ? 1 : 0;
            }
            if (!page.more()) {
                return restored;
            }
            position = page.position();
        }
    }

    /** Returns the timers of this deployment that the trace in a document describes. */
    private List<NewTimer> timers(Document document) {
        byte[] attributes = document.systemXattrs();
        if (attributes == null || !inSource.test(document)) {
            return List.of();
        }
        String text;
        try {
            text = JSON.readTree(attributes)
                    .path(TimerTrace.ATTRIBUTE)
                    .path(group.functionId())
                    .asString("");
        } catch (JacksonException e) {
            return List.of();
        }
        List<NewTimer> timers = new ArrayList<>();
        TimerTrace.parse(text, group.instance())
                .forEach((callback, trace) -> timers.add(trace.timer(
                        callback,
                        document.key().id(),
                        JSON.writeValueAsString(document.key().id()))));
        return timers;
    }

    private static <T> T await(CompletableFuture<T> answer)
            throws InterruptedException, ExecutionException, TimeoutException {
        return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }

    private static String text(long[] positions) {
        return LongStream.of(positions).mapToObj(Long::toString).collect(joining(" "));
    }

    /** A mark in another form, for instance of a source with another number of shards, counts as 0. */
    private long[] positions(String mark) {
        String[] words = mark.split(" ", -1);
        long[] positions = new long[handled.length];
        if (words.length == positions.length && mark.chars().allMatch(c -> c == ' ' || Character.isDigit(c))) {
            for (int shard = 0; shard < positions.length; shard++) {
                positions[shard] = words[shard].isEmpty() ? 0 : Long.parseLong(words[shard]);
            }
        }
        return positions;
    }
}
