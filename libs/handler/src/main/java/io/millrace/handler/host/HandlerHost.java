package io.millrace.handler.host;

import io.millrace.handler.HandlerLimits;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.HandlerThread;
import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.DocumentCall.DocumentAnswer;
import io.millrace.handler.host.QueryCall.QueryRows;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What running code can reach outside of JavaScript. Each {@link HandlerThread} calls its host on its own thread, in
 * the middle of an invocation. A call that blocks is interrupted ({@link Thread#interrupt}) when the invocation must
 * end: the host must then return or throw soon.
 *
 * <p>{@link HostFailure} is the only exception that code gets to see. Any other exception is a defect of the host and
 * ends the invocation with {@link InvocationResult.InternalError}.
 */
public interface HandlerHost {

    /**
     * Returns a document, or null when there is none.
     *
     * @param alias one of {@link HandlerSpec#aliases()}
     */
    @Nullable
    StoredDocument get(String alias, String id) throws HostFailure;

    /**
     * Stores a document without expiry, whether or not there is one of this id.
     *
     * @param alias one of {@link HandlerSpec#aliases()} that is writable
     */
    void upsert(String alias, String id, StoredDocument document) throws HostFailure;

    /**
     * Deletes a document.
     *
     * @param alias one of {@link HandlerSpec#aliases()} that is writable
     * @param mustExist true when the answer decides what the code sees; with false the host need not wait for it
     * @return false when there was no document; always true unless {@code mustExist}
     */
    boolean delete(String alias, String id, boolean mustExist) throws HostFailure;

    /** Carries out an advanced accessor and waits for its result. */
    DocumentAnswer access(DocumentCall call) throws HostFailure;

    /**
     * Makes an HTTP request and waits for its answer.
     *
     * @throws HostFailure of kind {@link HostFailure.Kind#CURL_ERROR} when there is none
     */
    HttpCall.Answer curl(HttpCall call) throws HostFailure;

    /**
     * Runs a statement in a database and waits for its end.
     *
     * @throws HostFailure of kind {@link HostFailure.Kind#SQL_ERROR}
     */
    default SqlCall.Answer sql(SqlCall call) throws HostFailure {
        throw HostFailure.sqlError("08003", "Databases are not available here");
    }

    /**
     * Sends a message, and need not wait until it has arrived: the invocation fails if it never does.
     *
     * @throws HostFailure of kind {@link HostFailure.Kind#EVENTING_ERROR}
     */
    default void publish(PublishCall call) throws HostFailure {
        throw HostFailure.eventingError("Topics are not available here");
    }

    /** Returns which collection an alias stands for. */
    BindingDetails bindingDetails(String alias);

    /** @param access {@code r} or {@code rw}; scope and collection may be {@code *} */
    record BindingDetails(String bucket, String scope, String collection, String access) {}

    /**
     * Creates a timer, in place of the one with the same callback and reference.
     *
     * @return its reference
     * @throws HostFailure of kind {@link HostFailure.Kind#EVENTING_ERROR} when its context is too large
     */
    default String createTimer(TimerCall timer) throws HostFailure {
        throw HostFailure.eventingError("Timers are not available here");
    }

    /** Removes a timer; returns false when there is none or its callback has been called. */
    default boolean cancelTimer(String callback, String reference) throws HostFailure {
        throw HostFailure.eventingError("Timers are not available here");
    }

    /**
     * Begins a statement. Its changes are complete when this returns; its rows are read on demand.
     *
     * @throws HostFailure of the kind of its service
     */
    default QueryRows query(QueryCall call) throws HostFailure {
        throw HostFailure.queryError(call.service(), "Queries are not available here");
    }

    /** Returns how many results of statements a thread may have open at a time. */
    default int queryCursors() {
        return HandlerLimits.QUERY_CURSORS;
    }

    /** Counts a use of the search service, which does not exist here. */
    default void searchFailed() {}

    /** Returns whether {@link #called} is to be called. */
    default boolean wantsInsight() {
        return false;
    }

    /**
     * Is told of calls of this host, calls of its log included.
     *
     * @param line of the user's code, from 1
     * @param times how many calls this one stands for
     * @param micros how long they took, in microseconds
     * @param logged what was logged, "" for nothing
     */
    default void called(int line, int times, long micros, String logged) {}

    /** Returns the clock that {@code Date} shows to the code, or null for that of the machine. Asked once, when code is loaded. */
    default @Nullable InstantSource clock() {
        return null;
    }

    /** Is told, on a thread of the engine, that an invocation of this host's code cannot be stopped. */
    default void stuck(String why) {}

    /**
     * Is told, on a thread of the engine, that the heap of the process is full, and that this host's code keeps the most of it
     * between invocations. It should be closed.
     */
    default void keepsTooMuch(String why) {}

    /** Takes a line that the code logged. */
    void log(LogLevel level, String line);

    /**
     * A document's body as it is stored.
     *
     * @param body JSON text in UTF-8, or any bytes when binary
     */
    record StoredDocument(byte[] body, boolean binary) {}

    /** How important a logged line is, most important first. */
    enum LogLevel {
        ERROR,
        WARNING,
        INFO,
        DEBUG,
        TRACE
    }
}
