package io.millrace.eventing.metrics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of one function under the names of Couchbase's statistics, all of them present from the start.
 * Thread-safe.
 */
public final class Counters {

    /** The part of the statistics that contains a counter. */
    public enum Block {
        EXECUTION("""
                on_update_success on_update_failure on_delete_success on_delete_failure on_request_success \
                on_request_failure on_event_success on_event_failure no_op_counter \
                timer_callback_success timer_callback_failure timer_create_counter timer_create_failure \
                timer_cancel_counter bucket_write_count bucket_delete_count statement_count sql_success_count \
                message_success_count \
                timer_msg_counter messages_parsed dcp_mutation_msg_counter \
                dcp_delete_msg_counter filtered_dcp_mutation_counter filtered_dcp_delete_counter \
                enqueued_dcp_mutation_msg_counter enqueued_dcp_delete_msg_counter num_processed_events \
                processed_events_size lcb_retry_failure dcp_mutation_checkpoint_cas_mismatch \
                uv_try_write_failure_counter"""),
        FAILURE("""
                bucket_op_exception_count bucket_op_cache_miss_count bucket_cache_overflow_count \
                bkt_ops_cas_mismatch_count n1ql_op_exception_count analytics_op_exception_count \
                search_op_exception_count timeout_count debugger_events_lost timer_context_size_exceeded_counter \
                timer_callback_missing_counter checkpoint_failure_count dcp_mutation_checkpoint_failure \
                curl_failure_count curl_timeout_count curl_non_200_response curl_max_resp_size_exceeded \
                sql_failure_count sql_timeout_count message_failure_count"""),
        PROCESSING("""
                dcp_mutation_sent_to_worker dcp_deletion_sent_to_worker dcp_expiry_sent_to_worker \
                dcp_mutation_suppressed_counter dcp_deletion_suppressed_counter dcp_expiration_suppressed_counter \
                dcp_mutation_unchanged_counter dcp_mutation_unmatched_counter dcp_deletion_unmatched_counter \
                filter_failure_counter worker_spawn_counter worker_death_counter poison_events_skipped \
                timer_events timer_responses_received retry_counter retry_superseded_counter dead_letter_counter \
                dead_letter_overflow_counter dead_letter_replay_counter hop_limit_counter message_dropped_counter \
                message_gap_counter""");

        private final String[] names;

        Block(String names) {
            this.names = names.split(" ");
        }
    }

    private record Counter(Block block, LongAdder value) {}

    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    /** All of them side by side: hundreds of functions at rest are asked for their {@link #sum} again and again. */
    private final List<LongAdder> all = new CopyOnWriteArrayList<>();

    public Counters() {
        for (Block block : Block.values()) {
            for (String name : block.names) {
                counters.put(name, new Counter(block, new LongAdder()));
            }
        }
        all.addAll(counters.values().stream().map(Counter::value).toList());
    }

    /** Returns the counter of a name, which callers may keep. An unknown name is added to the executions. */
    public LongAdder of(String name) {
        Counter known = counters.get(name);
        return known != null
                ? known.value()
                : counters.computeIfAbsent(name, this::added).value();
    }

    private Counter added(String name) {
        LongAdder value = new LongAdder();
        all.add(value);
        return new Counter(Block.EXECUTION, value);
    }

    /** Adds what was counted elsewhere. */
    public void add(Map<String, Long> deltas) {
        deltas.forEach((name, delta) -> of(name).add(delta));
    }

    /** Returns the sum of all counts: as long as it is the same, nothing has been counted. */
    public long sum() {
        long sum = 0;
        for (LongAdder each : all) {
            sum += each.sum();
        }
        return sum;
    }

    /** Returns the counts of one part by name. */
    public Map<String, Long> snapshot(Block block) {
        Map<String, Long> snapshot = new TreeMap<>();
        counters.forEach((name, counter) -> {
            if (counter.block() == block) {
                snapshot.put(name, counter.value().sum());
            }
        });
        return snapshot;
    }

    public void reset() {
        counters.values().forEach(counter -> counter.value().reset());
    }
}
