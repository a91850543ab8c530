package io.millrace.eventing.delivery;

import java.time.Duration;

/** The limits of delivery: of retries, dead letters, before-images, event streams and topics, each with its unit. */
final class HandlingLimits {

    /**
     * The most changes of a function on a node that wait for a retry; at this number the feed is not read any further.
     */
    static final int MAX_CHANGES_AWAITING_RETRY = 1000;

    /** The total size of these changes in bytes; at this size the feed is not read any further. */
    static final long MAX_BYTES_AWAITING_RETRY = 64L << 20;

    /** The most dead letters of a function that a node replays at a time. */
    static final int MAX_LETTERS_REPLAYED = 100;

    /** The largest document that a dead letter contains, in bytes; of a larger one only the size is kept. */
    static final int MAX_LETTER_DOCUMENT_BYTES = 16 * 1024;

    /** The largest document that is kept as a before image, in bytes; a larger one has no before image. */
    static final int MAX_OLD_DOCUMENT_BYTES = 64 * 1024;

    /** The most states of documents that are written in one call. */
    static final int MAX_STATES_REMEMBERED = 500;

    /** The size at which such a call takes no further state, in bytes; the last state may exceed it. */
    static final int MAX_REMEMBERED_BYTES = 1 << 20;

    /** The most event streams of a function that a node hands out at a time; at this number the feed is not read any further. */
    static final int MAX_OPEN_STREAMS = 64;

    /** The most messages of a topic that a node hands out at a time, with those that wait for another one of their key. */
    static final int MAX_OPEN_MESSAGES = 1000;

    /** The total size of these messages in bytes; at this size the topic is not read any further. */
    static final int MAX_OPEN_MESSAGE_BYTES = 16 << 20;

    /** The most messages that are read from a topic at once. */
    static final int MESSAGES_PER_PAGE = 200;

    /** The most messages that are read from a topic at first, when their sizes are not known. */
    static final int FIRST_MESSAGES_READ = 10;

    /** The size that is aimed at for what is read from a topic at once, in bytes: of large messages fewer are read. */
    static final int MESSAGE_BYTES_PER_PAGE = 4 << 20;

    /**
     * The total size in bytes of the messages of a partition of Kafka that wait to be handed out; at this size it is not read any
     * further.
     */
    static final long MAX_WAITING_MESSAGE_BYTES = 1 << 20;

    /** The most messages of a channel that wait for a worker; at this number those that come are dropped. */
    static final int MAX_WAITING_CHANNEL_MESSAGES = 10_000;

    /** The total size of these messages in bytes; at this size those that come are dropped. */
    static final long MAX_WAITING_CHANNEL_BYTES = 16L << 20;

    /** How often at most the log of a function says that messages of its channel were lost. */
    static final Duration LOSS_SAID_EACH = Duration.ofSeconds(10);

    private HandlingLimits() {}
}
