package io.millrace.worker;

import java.time.Duration;

/** The limits of a worker, each with its unit. */
public final class WorkerLimits {

    /** The most writes of one thread that Redis has not answered; a handler that makes one more waits. */
    public static final int MAX_UNANSWERED_WRITES = 512;

    /** The most bytes of documents in such writes; one write is always let through. */
    public static final long MAX_UNANSWERED_BYTES = 8L << 20;

    /** The pause before the first repair of a failed write, about; each further one is twice as long. */
    public static final Duration FIRST_REPAIR_PAUSE = Duration.ofMillis(20);

    /** The longest pause before a repair. */
    public static final Duration LONGEST_REPAIR_PAUSE = Duration.ofSeconds(1);

    /** How long Redis may take to answer one command. */
    public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

    /** The time left to a handler to deal with the KVError for a store that does not answer. */
    public static final Duration HANDLER_MARGIN = Duration.ofSeconds(2);

    /** How long one attempt to stop an invocation waits, before the next one. */
    public static final Duration INTERRUPT_PATIENCE = Duration.ofMillis(200);

    /** How long the threads of a function may take to end in a process that other functions share. */
    public static final Duration END_PATIENCE = Duration.ofSeconds(20);

    /** How often a thread that should end is interrupted again. */
    public static final Duration END_LOOK = Duration.ofMillis(20);

    /** The most log lines that wait for the link; further ones are dropped and counted. */
    public static final int MAX_WAITING_LOG_LINES = 10_000;

    /** The most characters in them. */
    public static final int MAX_WAITING_LOG_CHARS = 4 << 20;

    /** The most log lines in one frame. */
    public static final int LOG_LINES_PER_FRAME = 1_000;

    /** No line is added to a log frame that has so many characters. */
    public static final int LOG_CHARS_PER_FRAME = 1 << 20;

    /** The longest that a log line waits for others to share its frame. */
    public static final Duration LOG_DELAY = Duration.ofMillis(100);

    /** How long what was counted waits. */
    public static final Duration COUNTERS_INTERVAL = Duration.ofSeconds(1);

    /** After so long without counts an empty frame shows that the worker is alive. */
    public static final Duration SIGN_OF_LIFE = Duration.ofSeconds(25);

    /** How long an idle worker waits for something to report, before it looks for log lines. */
    public static final Duration IDLE_LOOK = Duration.ofSeconds(1);

    /** The most rows of a query that are read at a time; the first time it is one, then twice as many each time. */
    public static final int QUERY_BATCH_ROWS = 64;

    /** No row is added to a batch that has so many bytes. */
    public static final int QUERY_BATCH_BYTES = 256 << 10;

    /** The most effects of one invocation on trial that are shown; further ones are counted. */
    public static final int MAX_TRIAL_EFFECTS = 1_000;

    /** The most bytes of JSON about one invocation on trial; of a larger one the effects are left out. */
    public static final int MAX_TRIAL_BYTES = 4 << 20;

    /** The most calls whose answers one version records in a dry run; further ones are not made. */
    public static final int MAX_RECORDED_CALLS = 100;

    /** The most bytes of answers that one version records in a dry run; those that do not fit are left out. */
    public static final int MAX_RECORDED_BYTES = 1 << 20;

    /** So much of a call whose answer is left out is named. */
    public static final int MAX_LEFT_OUT_CHARS = 200;

    /** The most timers that fire in one step of a trial. */
    public static final int MAX_TRIAL_TIMERS = 10_000;

    /** The most bytes of values in the rows of one statement of {@code sql}. */
    public static final int MAX_SQL_RESULT_BYTES = 16 << 20;

    /** The longest that {@code sql} waits for a connection to a database. */
    public static final Duration SQL_CONNECTION_PATIENCE = Duration.ofSeconds(3);

    /** How long a connection to a database stays open without being used. */
    public static final Duration SQL_IDLE_CONNECTION = Duration.ofMinutes(1);

    /** The most bytes of one message of {@code publish}, with its key and headers. */
    public static final int MAX_MESSAGE_BYTES = 1 << 20;

    /** The most messages that are sent to a stream in one call. */
    public static final int MESSAGES_PER_BATCH = 128;

    /** No message is added to such a call that would have more bytes. */
    public static final int MESSAGE_BYTES_PER_BATCH = 1 << 20;

    /** How long a Kafka client looks for the partitions of a topic before it looks again. */
    public static final Duration KAFKA_TOPIC_LOOK = Duration.ofSeconds(1);

    /** How long messages fail at once after a Kafka cluster has refused the account or the settings of the operator. */
    public static final Duration KAFKA_REFUSED_PAUSE = Duration.ofSeconds(1);

    /** The most requests with CloudEvents that a worker has on their way for one binding. */
    public static final int EVENT_REQUESTS = 16;

    /** How long a server may take to answer a CloudEvent before it is sent again. */
    public static final Duration EVENT_TIMEOUT = Duration.ofSeconds(15);

    /** The first pause before a CloudEvent is sent again; each one is twice as long as the one before. */
    public static final Duration FIRST_EVENT_PAUSE = Duration.ofMillis(250);

    /** The longest pause, unless the server asks for a longer one. */
    public static final Duration LONGEST_EVENT_PAUSE = Duration.ofSeconds(5);

    /** How much of the response to a refused CloudEvent an error shows. */
    public static final int SHOWN_RESPONSE_CHARS = 200;

    private WorkerLimits() {}
}
