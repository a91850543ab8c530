package io.millrace.worker.report;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What only the worker can count, by the names of {@code failure_stats} and {@code execution_stats}. Everything else
 * the service counts from the outcomes.
 */
public final class Counters {

    /** Operations on a bucket that failed, whether or not the handler had already returned from the write. */
    public static final String BUCKET_EXCEPTIONS = "bucket_op_exception_count";

    /** Advanced accessors that found a version other than the expected one. */
    public static final String CAS_MISMATCHES = "bkt_ops_cas_mismatch_count";

    public static final String CACHE_MISSES = "bucket_op_cache_miss_count";

    public static final String CACHE_OVERFLOWS = "bucket_cache_overflow_count";

    /** Writes that were sent again because the store had been away. */
    public static final String REPAIRS = "bucket_op_repair_count";

    /** Documents that the code has written, through any of its bindings. */
    public static final String WRITES = "bucket_write_count";

    public static final String DELETIONS = "bucket_delete_count";

    public static final String STATEMENTS = "statement_count";

    /** Messages that the code has published. */
    public static final String MESSAGES = "message_success_count";

    /** Messages that were given up. */
    public static final String MESSAGES_FAILED = "message_failure_count";

    public static final String TIMERS_CREATED = "timer_create_counter";

    public static final String TIMERS_NOT_CREATED = "timer_create_failure";

    public static final String TIMERS_CANCELLED = "timer_cancel_counter";

    /** Timers that were refused because of their contexts. */
    public static final String TIMER_CONTEXTS_TOO_LARGE = "timer_context_size_exceeded_counter";

    /** Document timers without a trace in their document. */
    public static final String TRACES_NOT_LEFT = "timer_trace_failure";

    public static final String QUERY_EXCEPTIONS = "n1ql_op_exception_count";

    public static final String ANALYTICS_EXCEPTIONS = "analytics_op_exception_count";

    public static final String SEARCH_EXCEPTIONS = "search_op_exception_count";

    /** Log lines that were dropped because there were too many. */
    public static final String DROPPED_LOG_LINES = "log_lines_dropped_count";

    /** The number of a KVError follows. */
    public static final String EXCEPTIONS_BY_CODE = "lcb_exception_stats.";

    private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    public void add(String name, long count) {
        counts.computeIfAbsent(name, n -> new LongAdder()).add(count);
    }

    public void bucketException(int code) {
        add(BUCKET_EXCEPTIONS, 1);
        if (code != 0) {
            add(EXCEPTIONS_BY_CODE + code, 1);
        }
    }

    public void repaired() {
        add(REPAIRS, 1);
    }

    /** Returns what was counted since the last call. */
    public Map<String, Long> takeDeltas() {
        Map<String, Long> deltas = new HashMap<>();
        counts.forEach((name, count) -> {
            long delta = count.sumThenReset();
            if (delta != 0) {
                deltas.put(name, delta);
            }
        });
        return deltas;
    }
}
