package io.millrace.worker;

import io.millrace.documents.DocumentsException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What only the worker can count, by the names of {@code failure_stats} and {@code execution_stats}. Everything else the
 * service counts from the outcomes.
 */
final class Counters {

    /** Operations on a bucket that failed, whether the handler saw it or the write was already behind it. */
    static final String BUCKET_EXCEPTIONS = "bucket_op_exception_count";

    /** Advanced accessors that found another version than the code wanted. */
    static final String CAS_MISMATCHES = "bkt_ops_cas_mismatch_count";

    static final String CACHE_MISSES = "bucket_op_cache_miss_count";

    static final String CACHE_OVERFLOWS = "bucket_cache_overflow_count";

    /** Writes that were sent again because the store had been away. */
    static final String REPAIRS = "bucket_op_repair_count";

    static final String TIMERS_CREATED = "timer_create_counter";

    static final String TIMERS_NOT_CREATED = "timer_create_failure";

    static final String TIMERS_CANCELLED = "timer_cancel_counter";

    /** Timers that were refused because of their contexts. */
    static final String TIMER_CONTEXTS_TOO_LARGE = "timer_context_size_exceeded_counter";

    /** Document timers without a trace in their document, see {@link DocumentTraces}. */
    static final String TRACES_NOT_LEFT = "timer_trace_failure";

    static final String QUERY_EXCEPTIONS = "n1ql_op_exception_count";

    static final String ANALYTICS_EXCEPTIONS = "analytics_op_exception_count";

    static final String SEARCH_EXCEPTIONS = "search_op_exception_count";

    /** Log lines that were dropped because there were too many. */
    static final String DROPPED_LOG_LINES = "log_lines_dropped_count";

    /** The number of a KVError follows. */
    static final String EXCEPTIONS_BY_CODE = "lcb_exception_stats.";

    private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    public void add(String name, long count) {
        counts.computeIfAbsent(name, n -> new LongAdder()).add(count);
    }

    void bucketException(int code) {
        add(BUCKET_EXCEPTIONS, 1);
        if (code != 0) {
            add(EXCEPTIONS_BY_CODE + code, 1);
        }
    }

    /** Counts a write that failed after the handler had gone on. */
    void storeFailure(DocumentsException failure) {
        bucketException(KvErrors.of(failure).code());
    }

    void repaired() {
        add(REPAIRS, 1);
    }

    /** Returns what was counted since the last call. */
    Map<String, Long> takeDeltas() {
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
