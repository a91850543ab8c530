package io.millrace.eventing.definition;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a function: names, defaults, ranges and when each may change. The names, defaults and ranges are
 * Couchbase's, except for those under "Millrace's own". This table is the only place where they are written down.
 */
public enum Setting {
    DCP_STREAM_BOUNDARY(
            "everything",
            new SettingRule.OneOf(List.of("everything", "from_now", "from_prior")),
            When.UNDEPLOYED,
            Effect.YES,
            "where a first deployment starts in the feed"),
    DESCRIPTION("", new SettingRule.Text(4096), When.ALWAYS, Effect.YES, "free text"),
    WORKER_COUNT(1L, new SettingRule.Whole(1, 64), When.PAUSED, Effect.YES, "worker processes per node"),
    CPP_WORKER_THREAD_COUNT(
            2L, new SettingRule.Whole(1, 64), When.PAUSED, Effect.YES, "threads that run handlers per worker"),
    EXECUTION_TIMEOUT(
            60L, new SettingRule.Whole(1, 86_400), When.PAUSED, Effect.YES, "longest run of one invocation, seconds"),
    CHECKPOINT_INTERVAL(
            60L,
            new SettingRule.Whole(1, 3_600),
            When.PAUSED,
            Effect.YES,
            "how often progress is saved, seconds; larger values are read as milliseconds"),
    LANGUAGE_COMPATIBILITY(
            "7.2.0",
            new SettingRule.OneOf(List.of("5.0.0", "6.0.0", "6.5.0", "6.6.2", "7.2.0")),
            When.PAUSED,
            Effect.YES,
            "whose JavaScript behaviour the handler expects"),
    LOG_LEVEL(
            "INFO",
            new SettingRule.OneOf(List.of("ERROR", "WARNING", "INFO", "DEBUG", "TRACE")),
            When.ALWAYS,
            Effect.YES,
            "least severe level that reaches the function's log"),
    HANDLER_HEADERS(
            List.of("'use strict';"),
            new SettingRule.Lines(64, 4096),
            When.PAUSED,
            Effect.YES,
            "lines put before the code"),
    HANDLER_FOOTERS(List.of(), new SettingRule.Lines(64, 4096), When.PAUSED, Effect.YES, "lines put after the code"),
    APP_LOG_DIR(
            "",
            new SettingRule.Folder(256),
            When.UNDEPLOYED,
            Effect.YES,
            "folder inside the service's log folder; empty for that itself"),
    APP_LOG_MAX_SIZE(
            41_943_040L,
            new SettingRule.Whole(1024, 1L << 30),
            When.PAUSED,
            Effect.YES,
            "size at which a log file is rotated, bytes"),
    APP_LOG_MAX_FILES(10L, new SettingRule.Whole(1, 1000), When.PAUSED, Effect.YES, "log files kept"),
    ENABLE_APPLOG_ROTATION(
            true,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.YES,
            "false: one log file that stops growing at its size"),

    // Millrace's own
    ALLOCATION_LIMIT(
            268_435_456L,
            new SettingRule.Whole(1 << 20, 1L << 40),
            When.PAUSED,
            Effect.YES,
            "most that one invocation may allocate, bytes"),
    STRICT_DOCUMENTS(
            false,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.YES,
            "documents are plain objects made by JSON.parse, not proxies"),
    HOP_LIMIT(
            100L,
            new SettingRule.Whole(1, 1_000_000),
            When.PAUSED,
            Effect.YES,
            "changes to which more functions in a row have led are not handled"),
    SKIP_UNCHANGED(
            false,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.YES,
            "leave out updates whose body is the one that was handled last"),
    BEFORE_IMAGE(
            false,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.YES,
            "show handlers as `options.old` what the document was when the function knew it last"),
    RETRIES(
            0L,
            new SettingRule.Whole(0, 100),
            When.PAUSED,
            Effect.YES,
            "how often a change that failed is tried again; later changes of its document take its place"),
    RETRY_PAUSE(
            1000L,
            new SettingRule.Whole(1, 3_600_000),
            When.PAUSED,
            Effect.YES,
            "before a change is tried again, milliseconds; twice as long each time"),
    RETRY_LONGEST_PAUSE(
            60_000L,
            new SettingRule.Whole(1, 3_600_000),
            When.PAUSED,
            Effect.YES,
            "where the doubling ends, milliseconds"),
    DEAD_LETTERS(
            1000L,
            new SettingRule.Whole(0, 10_000),
            When.PAUSED,
            Effect.YES,
            "how many changes that failed for good are kept; 0: they are counted and logged only"),
    INSIGHT(true, new SettingRule.Flag(), When.PAUSED, Effect.YES, "count calls, times and errors by line"),
    APP_LOG_FORMAT(
            "text",
            new SettingRule.OneOf(List.of("text", "json")),
            When.PAUSED,
            Effect.YES,
            "how a log line is written"),

    // stored and shown, without effect so far
    ON_DEPLOY_TIMEOUT(
            60L, new SettingRule.Whole(1, 86_400), When.PAUSED, Effect.YES, "longest run of OnDeploy, seconds"),
    CURSOR_CHECKPOINT_TIMEOUT(60L, new SettingRule.Whole(1, 86_400), When.PAUSED, Effect.NONE, "seconds"),
    N1QL_CONSISTENCY(
            "none",
            new SettingRule.OneOf(List.of("", "none", "request")),
            When.PAUSED,
            Effect.YES,
            "of queries in handlers, which always see what was written before, as with request"),
    N1QL_PREPARE_ALL(false, new SettingRule.Flag(), When.PAUSED, Effect.NONE, "plans are made where statements run"),
    LCB_INST_CAPACITY(10L, new SettingRule.Whole(1, 1000), When.PAUSED, Effect.YES, "open query cursors per worker"),
    LCB_RETRY_COUNT(
            0L, new SettingRule.Whole(0, 1_000_000), When.PAUSED, Effect.NONE, "0: until the handler times out"),
    LCB_TIMEOUT(5L, new SettingRule.Whole(1, 86_400), When.PAUSED, Effect.NONE, "seconds"),
    NUM_TIMER_PARTITIONS(
            1024L, new SettingRule.Whole(1, 1024), When.UNDEPLOYED, Effect.YES, "rounded up to a power of two"),
    TIMER_CONTEXT_SIZE(
            1024L, new SettingRule.Whole(20, 20_971_520), When.ALWAYS, Effect.YES, "largest timer context, bytes"),
    TIMER_ATTEMPTS(
            1L,
            new SettingRule.Whole(1, 1000),
            When.PAUSED,
            Effect.YES,
            "calls of a timer callback that fails, at most"),
    TIMER_RETRY_PAUSE(
            1000L,
            new SettingRule.Whole(1, 3_600_000),
            When.PAUSED,
            Effect.YES,
            "before a timer callback is called again, milliseconds; twice as long each time"),
    SCHEDULES(
            List.of(),
            new SettingRule.CronLines(100, 1000),
            When.PAUSED,
            Effect.YES,
            "functions of the code that are called again and again, such as `report 0 3 * * 1-5 zone=Europe/Berlin jitter=30 missed=once`"),
    TICK_DURATION(1000L, new SettingRule.Whole(1, 3_600_000), When.PAUSED, Effect.NONE, "milliseconds"),
    BUCKET_CACHE_SIZE(67_108_864L, new SettingRule.Whole(20_971_520, 1L << 40), When.PAUSED, Effect.YES, "bytes"),
    BUCKET_CACHE_AGE(1000L, new SettingRule.Whole(1, 86_400_000), When.PAUSED, Effect.YES, "milliseconds"),
    CURL_MAX_ALLOWED_RESP_SIZE(
            100L, new SettingRule.Whole(0, 1 << 20), When.PAUSED, Effect.YES, "megabytes, 0 for no limit"),
    ALLOW_TRANSACTION_MUTATIONS(
            false, new SettingRule.Flag(), When.PAUSED, Effect.NONE, "deliver documents of transactions"),
    ALLOW_SYNC_DOCUMENTS(true, new SettingRule.Flag(), When.PAUSED, Effect.NONE, "deliver _sync: documents"),
    CURSOR_AWARE(false, new SettingRule.Flag(), When.PAUSED, Effect.NONE, "recognise repeated deliveries"),
    MAX_UNACKED_BYTES(0L, new SettingRule.Whole(0, 1L << 40), When.PAUSED, Effect.NONE, "bytes"),
    MAX_UNACKED_COUNT(100_000L, new SettingRule.Whole(1, 1 << 30), When.PAUSED, Effect.NONE, "events"),
    MESSAGE_FLUSH_TIME(50L, new SettingRule.Whole(1, 3_600_000), When.PAUSED, Effect.NONE, "milliseconds"),
    MAX_PARALLEL_VB(8L, new SettingRule.Whole(1, 1024), When.PAUSED, Effect.NONE, "vbuckets"),
    HIGH_SEQ_CHECK_INTERVAL(15_000L, new SettingRule.Whole(1, 86_400_000), When.PAUSED, Effect.NONE, "milliseconds");

    /** In which state of the function a setting may change; each includes those before it. */
    public enum When {
        UNDEPLOYED,
        PAUSED,
        ALWAYS
    }

    /** Whether a setting changes anything yet. */
    enum Effect {
        YES,
        NONE
    }

    /** Settings that exports of older servers and the first design have; kept with the function, without effect. */
    private static final Set<String> HISTORICAL = Set.of(
            "agg_dcp_feed_mem_cap",
            "breakpad_on",
            "cleanup_timers",
            "cron_timers_per_doc",
            "curl_timeout",
            "data_chan_size",
            "dcp_gen_chan_size",
            "dcp_num_connections",
            "dcp_window_size",
            "deadline_timeout",
            "enable_recursive_mutation",
            "execute_timer_routine_count",
            "feedback_batch_size",
            "feedback_queue_cap",
            "feedback_read_buffer_size",
            "fuzz_offset",
            "idle_checkpoint_interval",
            "memory_quota",
            "poll_bucket_interval",
            "rbacrole",
            "rbacuser",
            "skip_timer_threshold",
            "sock_batch_size",
            "timer_processing_tick_interval",
            "timer_queue_mem_cap",
            "timer_queue_size",
            "timer_storage_chan_size",
            "timer_storage_routine_count",
            "undeploy_routine_count",
            "user_prefix",
            "using_timer",
            "vb_ownership_giveup_routine_count",
            "vb_ownership_takeover_routine_count",
            "worker_feedback_queue_cap",
            "worker_queue_cap",
            "worker_queue_mem_cap",
            "worker_response_timeout",
            "xattr_doc_timer_entry_prune_threshold");

    private static final Map<String, Setting> BY_NAME =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Setting::jsonName, Function.identity()));

    private final String jsonName;
    private final Object standard;
    private final SettingRule rule;
    private final When changeable;
    private final Effect effect;
    private final String meaning;

    Setting(Object standard, SettingRule rule, When changeable, Effect effect, String meaning) {
        this.jsonName = name().toLowerCase(Locale.ROOT);
        this.standard = standard;
        this.rule = rule;
        this.changeable = changeable;
        this.effect = effect;
        this.meaning = meaning;
    }

    /** Returns the setting of this name, or null. */
    public static @Nullable Setting named(String jsonName) {
        return BY_NAME.get(jsonName);
    }

    static boolean historical(String jsonName) {
        return HISTORICAL.contains(jsonName);
    }

    String jsonName() {
        return jsonName;
    }

    /** Returns the default: a Long, a Boolean, a String or a list of strings. */
    Object standard() {
        return standard;
    }

    SettingRule rule() {
        return rule;
    }

    public When changeable() {
        return changeable;
    }

    /** Returns the table of all settings as Markdown, for the README. */
    static String table() {
        StringBuilder table =
                new StringBuilder("| setting | default | values | may change | meaning |\n|--|--|--|--|--|\n");
        for (Setting setting : values()) {
            table.append("| `%s` | `%s` | %s | %s | %s%s |\n"
                    .formatted(
                            setting.jsonName,
                            setting.standard instanceof String text ? '"' + text + '"' : setting.standard,
                            setting.rule.words(),
                            switch (setting.changeable) {
                                case ALWAYS -> "always";
                                case PAUSED -> "when paused or undeployed";
                                case UNDEPLOYED -> "when undeployed";
                            },
                            setting.meaning,
                            setting.effect == Effect.NONE ? " (stored, no effect yet)" : ""));
        }
        return table.toString();
    }
}
