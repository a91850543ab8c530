package io.millrace.eventing.delivery;

import io.millrace.workerprotocol.Event;

/** Hands out the messages of a topic for the vbuckets of one delivery. Thread-safe. */
interface OpenTopic {

    /** Begins to hand out messages. Never blocks. */
    void start();

    /** Notes that a message need not be delivered again. Never blocks. */
    void ended(Event event);

    /** Returns how many messages are not handled and not in a worker. */
    long held();

    /** Hands out nothing from now on. Never blocks. */
    void close();

    /** Waits until what is handled is stored. Outcomes that are not known by now do not count. */
    void awaitEnd() throws InterruptedException;
}
