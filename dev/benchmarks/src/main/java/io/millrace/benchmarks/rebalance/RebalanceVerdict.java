package io.millrace.benchmarks.rebalance;

import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.redis.RedisDocumentStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of all writes, read from both buckets when nothing moves any more.
 *
 * @param documents the number of documents
 * @param gone documents whose last acknowledged state is missing in Redis
 * @param lost documents whose state in Redis was not handled, and timers of such a state that did not fire
 * @param back calls with an older state than a previous call
 * @param repeated calls beyond the first, by the second in which the state was written
 * @param repeatedTimers timers that were fired again
 * @param times the times at which each state was written and handled
 */
record RebalanceVerdict(
        int documents,
        int gone,
        int lost,
        int back,
        TreeMap<Long, Integer> repeated,
        int repeatedTimers,
        ServiceTimes times) {

    private static final JsonMapper JSON = new JsonMapper();

    int repeated(long fromMillis, long toMillis) {
        return repeated.subMap(fromMillis / 1000, true, toMillis / 1000, true).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    int allRepeated() {
        return repeated(0, Long.MAX_VALUE);
    }

    /** @param written how many documents were written to their last state */
    static RebalanceVerdict of(RedisDocumentStore store, String source, String target, int written) {
        Map<String, Integer> states = new HashMap<>();
        each(store, source, (id, document) -> states.put(id, document.path("n").asInt()));
        int gone = 0;
        for (int number = 0; number < written; number++) {
            gone += states.getOrDefault(RebalanceLoad.id(number), 0) < RebalanceLoad.STATES ? 1 : 0;
        }
        Reading reading = new Reading(states);
        each(store, target, reading::take);
        return new RebalanceVerdict(
                states.size(),
                gone,
                reading.lost(),
                reading.back,
                reading.repeated,
                reading.repeatedTimers,
                reading.times);
    }

    private interface Visitor {
        void visit(String id, JsonNode document);
    }

    private static void each(RedisDocumentStore store, String bucket, Visitor visitor) {
        Consumer<Mutation> visit = mutation -> visitor.visit(
                mutation.document().key().id(),
                JSON.readTree(mutation.document().body()));
        ChangePage page = new ChangePage(List.of(), 0, true);
        while (page.more()) {
            var next = new ChangePage.Request(page.position(), false, 1000, true);
            page = store.page(bucket, 0, next).join();
            page.mutations().forEach(visit);
        }
    }

    /** Reads the results of the function and removes the handled states. */
    private static final class Reading {

        private final Map<String, Integer> awaited;
        private final Map<String, Integer> awaitedTimers = new HashMap<>();
        private final TreeMap<Long, Integer> repeated = new TreeMap<>();
        private final ServiceTimes times = new ServiceTimes();
        private int back;
        private int repeatedTimers;

        Reading(Map<String, Integer> states) {
            awaited = new HashMap<>(states);
            states.forEach((id, state) -> {
                if (state == RebalanceLoad.STATES
                        && Integer.parseInt(id.substring(1)) % RebalanceLoad.TIMER_EACH == 0) {
                    awaitedTimers.put("timer-" + id, state);
                }
            });
        }

        void take(String id, JsonNode seen) {
            if (seen.has("fired")) {
                awaitedTimers.remove(id);
                repeatedTimers += seen.path("fired").asInt() - 1;
                return;
            }
            Integer state = awaited.get(id);
            if (state != null && seen.path("calls").has(state.toString())) {
                awaited.remove(id);
            }
            back += seen.path("back").asInt();
            int vbucket = new DocumentKey(Keyspace.of("any"), id).vbucket();
            for (Map.Entry<String, JsonNode> wait : seen.path("wait").properties()) {
                long written = wait.getValue().path(0).asLong();
                times.add(vbucket, written, written + wait.getValue().path(1).asLong());
                int more = seen.path("calls").path(wait.getKey()).asInt() - 1;
                if (more > 0) {
                    repeated.merge(written / 1000, more, Integer::sum);
                }
            }
        }

        int lost() {
            return awaited.size() + awaitedTimers.size();
        }
    }
}
