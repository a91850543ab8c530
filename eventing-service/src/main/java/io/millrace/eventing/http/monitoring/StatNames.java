package io.millrace.eventing.http.monitoring;

import java.util.List;

/** The names of the counters in each block of the statistics; every counter is present from the start. */
final class StatNames {

    static final List<String> EXECUTION = List.of(
            "on_update_success",
            "on_update_failure",
            "on_delete_success",
            "on_delete_failure",
            "on_request_success",
            "on_request_failure",
            "on_event_success",
            "on_event_failure",
            "no_op_counter",
            "timer_callback_success",
            "timer_callback_failure",
            "timer_create_counter",
            "timer_create_failure",
            "timer_cancel_counter",
            "bucket_write_count",
            "bucket_delete_count",
            "statement_count",
            "timer_msg_counter",
            "messages_parsed",
            "dcp_mutation_msg_counter",
            "dcp_delete_msg_counter",
            "filtered_dcp_mutation_counter",
            "filtered_dcp_delete_counter",
            "enqueued_dcp_mutation_msg_counter",
            "enqueued_dcp_delete_msg_counter",
            "num_processed_events",
            "processed_events_size",
            "agg_queue_size",
            "agg_queue_memory",
            "lcb_retry_failure",
            "dcp_mutation_checkpoint_cas_mismatch",
            "uv_try_write_failure_counter",
            "curl_success_count",
            "sql_success_count",
            "message_success_count");

    /** Prefix of the number of a KVError. */
    static final String EXCEPTIONS_BY_CODE = "lcb_exception_stats.";

    /** Prefix of the upper bound of a bin in microseconds. */
    static final String CURL_LATENCY = "curl_latency_stats.";

    /** Prefix of the method. */
    static final String CURL_CALLS = "curl.";

    static final List<String> CURL = List.of("get", "post", "put", "head", "delete");

    static final List<String> FAILURE = List.of(
            "bucket_op_exception_count",
            "bucket_op_cache_miss_count",
            "bucket_cache_overflow_count",
            "bkt_ops_cas_mismatch_count",
            "n1ql_op_exception_count",
            "analytics_op_exception_count",
            "search_op_exception_count",
            "timeout_count",
            "debugger_events_lost",
            "timer_context_size_exceeded_counter",
            "timer_callback_missing_counter",
            "checkpoint_failure_count",
            "dcp_mutation_checkpoint_failure",
            "curl_failure_count",
            "curl_timeout_count",
            "curl_non_200_response",
            "curl_max_resp_size_exceeded",
            "sql_failure_count",
            "sql_timeout_count",
            "message_failure_count");

    static final List<String> PROCESSING = List.of(
            "dcp_mutation_sent_to_worker",
            "dcp_deletion_sent_to_worker",
            "dcp_expiry_sent_to_worker",
            "dcp_mutation_suppressed_counter",
            "dcp_deletion_suppressed_counter",
            "dcp_expiration_suppressed_counter",
            "worker_spawn_counter",
            "timer_events",
            "timer_responses_received",
            "dcp_mutation_unchanged_counter",
            "dcp_mutation_unmatched_counter",
            "dcp_deletion_unmatched_counter",
            "filter_failure_counter",
            "retry_counter",
            "retry_superseded_counter",
            "dead_letter_counter",
            "dead_letter_overflow_counter",
            "dead_letter_replay_counter",
            "hop_limit_counter",
            "message_dropped_counter",
            "message_gap_counter");

    static final List<Integer> PERCENTILES = List.of(50, 80, 90, 95, 99, 100);

    /** The series that existing dashboards read. */
    static final List<String> DASHBOARD = List.of(
            "agg_queue_size",
            "agg_queue_memory",
            "on_update_success",
            "on_update_failure",
            "on_delete_success",
            "on_delete_failure",
            "dcp_mutation_msg_counter",
            "dcp_delete_msg_counter",
            "timer_create_counter",
            "timer_cancel_counter",
            "timer_callback_success",
            "timer_callback_failure",
            "timer_create_failure",
            "timer_msg_counter",
            "dcp_mutation_sent_to_worker",
            "dcp_deletion_sent_to_worker",
            "dcp_mutation_suppressed_counter",
            "dcp_deletion_suppressed_counter",
            "worker_spawn_counter",
            "bucket_op_exception_count",
            "n1ql_op_exception_count",
            "timeout_count",
            "bkt_ops_cas_mismatch_count",
            "checkpoint_failure_count",
            "timer_context_size_exceeded_counter",
            "timer_callback_missing_counter",
            "analytics_op_exception_count",
            "search_op_exception_count");

    private StatNames() {}
}
