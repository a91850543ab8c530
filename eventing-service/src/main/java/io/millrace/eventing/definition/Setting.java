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
            "Where a deployment starts in the feed: with all documents that exist, or with the changes from then on"),
    DESCRIPTION("", new SettingRule.Text(4096), When.ALWAYS, Effect.YES, "Free text"),
    WORKER_COUNT(1L, new SettingRule.Whole(1, 64), When.PAUSED, Effect.YES, "Workers on each node"),
    CPP_WORKER_THREAD_COUNT(
            2L, new SettingRule.Whole(1, 64), When.PAUSED, Effect.YES, "Threads that run handlers in each worker"),
    EXECUTION_TIMEOUT(
            60L,
            new SettingRule.Whole(1, 86_400),
            When.PAUSED,
            Effect.YES,
            "The longest run of one invocation, in seconds"),
    CHECKPOINT_INTERVAL(
            60L,
            new SettingRule.Whole(1, 3_600),
            When.PAUSED,
            Effect.YES,
            "How often progress is saved, in seconds; values over 3600 are read as milliseconds"),
    LANGUAGE_COMPATIBILITY(
            "7.2.0",
            new SettingRule.OneOf(List.of("5.0.0", "6.0.0", "6.5.0", "6.6.2", "7.2.0")),
            When.PAUSED,
            Effect.YES,
            "The release whose behaviour the handler expects"),
    LOG_LEVEL(
            "INFO",
            new SettingRule.OneOf(List.of("ERROR", "WARNING", "INFO", "DEBUG", "TRACE")),
            When.ALWAYS,
            Effect.YES,
            "The least severe level that is written to the function's log"),
    HANDLER_HEADERS(
            List.of("'use strict';"),
            new SettingRule.Lines(64, 4096),
            When.PAUSED,
            Effect.YES,
            "Lines that are put before the code"),
    HANDLER_FOOTERS(
            List.of(), new SettingRule.Lines(64, 4096), When.PAUSED, Effect.YES, "Lines that are put after the code"),
    /** Not "" by default: SDKs refuse to read a function with an empty one. */
    APP_LOG_DIR(
            ".",
            new SettingRule.Folder(256),
            When.UNDEPLOYED,
            Effect.YES,
            "The folder of the function's log inside the service's log folder, also if the path is absolute; `.` or empty"
                    + " for that folder itself"),
    APP_LOG_MAX_SIZE(
            41_943_040L,
            new SettingRule.Whole(1024, 1L << 30),
            When.PAUSED,
            Effect.YES,
            "The size at which a log file is rotated, in bytes"),
    APP_LOG_MAX_FILES(10L, new SettingRule.Whole(1, 1000), When.PAUSED, Effect.YES, "How many log files are kept"),
    ENABLE_APPLOG_ROTATION(
            true,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.YES,
            "Whether log files are rotated; without rotation the log ends when its file is full"),

    // Millrace's own
    LANGUAGE(
            "javascript",
            new SettingRule.OneOf(List.of("javascript", "typescript")),
            When.PAUSED,
            Effect.YES,
            "What the code is written in; types are removed from TypeScript when the code is loaded, and not checked"),
    ISOLATION(
            "node",
            new SettingRule.OneOf(List.of("node", "shared", "process")),
            When.PAUSED,
            Effect.YES,
            "Whether the workers share processes with other functions of the same owner and function scope, or have"
                    + " processes of their own; `node` is what the operator has set for the node"),
    ALLOCATION_LIMIT(
            268_435_456L,
            new SettingRule.Whole(1 << 20, 1L << 40),
            When.PAUSED,
            Effect.YES,
            "The most memory that one invocation may hold, in bytes; garbage does not count"),
    REQUEST_ACCESS(
            "roles",
            new SettingRule.OneOf(List.of("roles", "public")),
            When.ALWAYS,
            Effect.YES,
            "Who may call `OnRequest` over HTTP: users with a role that grants it, or everyone, also without a login"),
    OPENAPI(
            RequestPaths.NONE,
            new SettingRule.Requests(),
            When.ALWAYS,
            Effect.YES,
            "Which requests `OnRequest` takes; others are refused before it is called"),
    STRICT_DOCUMENTS(
            false,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.YES,
            "Whether documents are parsed by JSON.parse at once, so that values that code does not change lose their"
                    + " spelling, too"),
    HOP_LIMIT(
            100L,
            new SettingRule.Whole(1, 1_000_000),
            When.PAUSED,
            Effect.YES,
            "The most functions in a row that may lead to a change; a change with more is not handled"),
    FILTER(
            "",
            new SettingRule.Condition(8192),
            When.PAUSED,
            Effect.YES,
            "Which changes are handled: a condition of N1QL over the document and its META(); others are left out before"
                    + " they are sent to a worker"),
    SKIP_UNCHANGED(
            false,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.YES,
            "Whether updates are left out whose body is the one that was handled last"),
    BEFORE_IMAGE(
            false,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.YES,
            "Whether handlers get the document's state before the change as `options.old`"),
    RETRIES(
            0L,
            new SettingRule.Whole(0, 100),
            When.PAUSED,
            Effect.YES,
            "How often a failed change is tried again; a later change of the document takes its place"),
    RETRY_PAUSE(
            1000L,
            new SettingRule.Whole(1, 3_600_000),
            When.PAUSED,
            Effect.YES,
            "The pause before the first retry of a change, in milliseconds; it doubles each time"),
    RETRY_LONGEST_PAUSE(
            60_000L,
            new SettingRule.Whole(1, 3_600_000),
            When.PAUSED,
            Effect.YES,
            "The longest pause before a retry, in milliseconds"),
    DEAD_LETTERS(
            1000L,
            new SettingRule.Whole(0, 10_000),
            When.PAUSED,
            Effect.YES,
            "How many changes that failed for the last time are kept; with 0 they are only counted and logged"),
    INSIGHT(
            true,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.YES,
            "Whether calls, times and errors are counted by line of the code"),
    APP_LOG_FORMAT(
            "text", new SettingRule.OneOf(List.of("text", "json")), When.PAUSED, Effect.YES, "The form of a log line"),

    ENV(
            Env.NONE,
            new SettingRule.Constants(),
            When.ALWAYS,
            Effect.YES,
            "Constants that the code reads by their names; not for secrets. A deployed function takes others without a"
                    + " pause, unless it has `OnDeploy`"),

    SECRETS(
            SecretNames.NONE,
            new SettingRule.Secrets(),
            When.ALWAYS,
            Effect.YES,
            "Constants whose values are secrets that were stored for the function. A deployed function takes others without"
                    + " a pause, unless it has `OnDeploy`"),

    // stored and shown, without effect so far
    ON_DEPLOY_TIMEOUT(
            60L, new SettingRule.Whole(1, 86_400), When.PAUSED, Effect.YES, "The longest run of OnDeploy, in seconds"),
    CURSOR_CHECKPOINT_TIMEOUT(
            60L,
            new SettingRule.Whole(1, 86_400),
            When.PAUSED,
            Effect.NONE,
            "The time-out of a cursor's checkpoint, in seconds"),
    N1QL_CONSISTENCY(
            "none",
            new SettingRule.OneOf(List.of("", "none", "request")),
            When.PAUSED,
            Effect.YES,
            "The consistency of queries in handlers, which always see everything that was written before, as with"
                    + " `request`"),
    N1QL_PREPARE_ALL(
            false,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.NONE,
            "Whether statements are prepared when the function is deployed; plans are made where statements run"),
    LCB_INST_CAPACITY(
            10L, new SettingRule.Whole(1, 1000), When.PAUSED, Effect.YES, "The most open query cursors in a worker"),
    LCB_RETRY_COUNT(
            0L,
            new SettingRule.Whole(0, 1_000_000),
            When.PAUSED,
            Effect.NONE,
            "How often a bucket operation is repeated; with 0 until the handler times out"),
    LCB_TIMEOUT(
            5L,
            new SettingRule.Whole(1, 86_400),
            When.PAUSED,
            Effect.NONE,
            "The time-out of a bucket operation, in seconds"),
    NUM_TIMER_PARTITIONS(
            1024L,
            new SettingRule.Whole(1, 1024),
            When.UNDEPLOYED,
            Effect.YES,
            "How many partitions the timers are spread over, rounded up to a power of two"),
    TIMER_CONTEXT_SIZE(
            1024L,
            new SettingRule.Whole(20, 20_971_520),
            When.ALWAYS,
            Effect.YES,
            "The largest context of a timer, in bytes"),
    TIMER_ATTEMPTS(
            1L,
            new SettingRule.Whole(1, 1000),
            When.PAUSED,
            Effect.YES,
            "How often the callback of a timer is called when it fails"),
    TIMER_RETRY_PAUSE(
            1000L,
            new SettingRule.Whole(1, 3_600_000),
            When.PAUSED,
            Effect.YES,
            "The pause before a timer callback is called again, in milliseconds; it doubles each time"),
    SCHEDULES(
            List.of(),
            new SettingRule.CronLines(100, 1000),
            When.PAUSED,
            Effect.YES,
            "Functions of the code that are called at regular times, such as `report 0 3 * * 1-5 zone=Europe/Berlin"
                    + " jitter=30 missed=once`"),
    TICK_DURATION(
            1000L,
            new SettingRule.Whole(1, 3_600_000),
            When.PAUSED,
            Effect.NONE,
            "The interval of statistics, in milliseconds"),
    BUCKET_CACHE_SIZE(
            67_108_864L,
            new SettingRule.Whole(20_971_520, 1L << 40),
            When.PAUSED,
            Effect.YES,
            "The size of the document cache of a worker, in bytes"),
    BUCKET_CACHE_AGE(
            1000L,
            new SettingRule.Whole(1, 86_400_000),
            When.PAUSED,
            Effect.YES,
            "How long a cached document may be used, in milliseconds"),
    CURL_MAX_ALLOWED_RESP_SIZE(
            100L,
            new SettingRule.Whole(0, 1 << 20),
            When.PAUSED,
            Effect.YES,
            "The largest answer to curl, in megabytes; 0 for no limit"),
    ALLOW_TRANSACTION_MUTATIONS(
            false, new SettingRule.Flag(), When.PAUSED, Effect.NONE, "Whether documents of transactions are delivered"),
    ALLOW_SYNC_DOCUMENTS(
            true,
            new SettingRule.Flag(),
            When.PAUSED,
            Effect.NONE,
            "Whether documents whose ids begin with `_sync:` are delivered"),
    CURSOR_AWARE(false, new SettingRule.Flag(), When.PAUSED, Effect.NONE, "Whether repeated deliveries are recognized"),
    MAX_UNACKED_BYTES(
            0L,
            new SettingRule.Whole(0, 1L << 40),
            When.PAUSED,
            Effect.NONE,
            "The most unacknowledged bytes of events"),
    MAX_UNACKED_COUNT(
            100_000L, new SettingRule.Whole(1, 1 << 30), When.PAUSED, Effect.NONE, "The most unacknowledged events"),
    MESSAGE_FLUSH_TIME(
            50L,
            new SettingRule.Whole(1, 3_600_000),
            When.PAUSED,
            Effect.NONE,
            "How long messages to workers are collected, in milliseconds"),
    MAX_PARALLEL_VB(
            8L,
            new SettingRule.Whole(1, 1024),
            When.PAUSED,
            Effect.NONE,
            "The most vbuckets that are handled in parallel"),
    HIGH_SEQ_CHECK_INTERVAL(
            15_000L,
            new SettingRule.Whole(1, 86_400_000),
            When.PAUSED,
            Effect.NONE,
            "How often the end of the feed is looked up, in milliseconds");

    /** In which state of the function a setting may change; each includes those before it. */
    public enum When {
        UNDEPLOYED,
        PAUSED,
        ALWAYS;

        private String words() {
            return switch (this) {
                case ALWAYS -> "always";
                case PAUSED -> "when paused or undeployed";
                case UNDEPLOYED -> "when undeployed";
            };
        }
    }

    /** Whether a setting changes anything yet. */
    enum Effect {
        YES,
        NONE
    }

    /** Settings that exports of older servers and the first design have; kept with the function, without effect. */
    static final Set<String> HISTORICAL = Set.of(
            "agg_dcp_feed_mem_cap",
            "aggDCPFeedMemCap",
            "breakpad_on",
            "cleanup_timers",
            "cron_timers_per_doc",
            "curl_timeout",
            "data_chan_size",
            "dcp_gen_chan_size",
            "dcp_num_connections",
            "dcp_window_size",
            "deadline_timeout",
            "enable_debugger",
            "enable_recursive_mutation",
            "execute_timer_routine_count",
            "feedback_batch_size",
            "feedback_queue_cap",
            "feedback_read_buffer_size",
            "fuzz_offset",
            "idle_checkpoint_interval",
            "memory_quota",
            "num_of_workers",
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
            "timer_worker_pool_size",
            "undeploy_routine_count",
            "user_prefix",
            "using_doc_timer",
            "using_timer",
            "vb_ownership_giveup_routine_count",
            "vb_ownership_takeover_routine_count",
            "worker_feedback_queue_cap",
            "worker_queue_cap",
            "worker_queue_mem_cap",
            "worker_response_timeout",
            "xattr_doc_timer_entry_prune_threshold");

    /** The password of the user of the first design; not kept, because definitions can be listed and exported. */
    static final String FORMER_PASSWORD = "rbacpass";

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

    /** Returns the name in JSON. */
    public String jsonName() {
        return jsonName;
    }

    /** Returns the default: a Long, a Boolean, a String, a list of strings, an {@link Env}, {@link SecretNames} or {@link RequestPaths}. */
    public Object standard() {
        return standard;
    }

    /** Returns what the setting does, its values, and when it may change. */
    public String description() {
        return "%s. Values: %s. May change %s.%s"
                .formatted(
                        meaning,
                        rule.words(),
                        changeable.words(),
                        effect == Effect.NONE ? " Stored, no effect yet." : "");
    }

    SettingRule rule() {
        return rule;
    }

    public When changeable() {
        return changeable;
    }

    /** Returns the table of all settings as Markdown, for the reference. */
    static String table() {
        StringBuilder table =
                new StringBuilder("| setting | default | values | may change | meaning |\n|--|--|--|--|--|\n");
        for (Setting setting : values()) {
            table.append("| `%s` | `%s` | %s | %s | %s%s |\n"
                    .formatted(
                            setting.jsonName,
                            switch (setting.standard) {
                                case String text -> '"' + text + '"';
                                case Env none -> "{}";
                                case SecretNames none -> "{}";
                                case RequestPaths none -> none.text();
                                default -> setting.standard;
                            },
                            setting.rule.words(),
                            setting.changeable.words(),
                            setting.meaning,
                            setting.effect == Effect.NONE ? " (stored, no effect yet)" : ""));
        }
        return table.toString();
    }
}
