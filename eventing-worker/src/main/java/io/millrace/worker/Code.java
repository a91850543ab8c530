package io.millrace.worker;

import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HostFailure;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.HttpResponse;
import java.time.Duration;
import java.util.List;

/** Code that runs on events: the handler, or what a test puts in its place. */
@FunctionalInterface
public interface Code {

    /** Loads the code into the calling thread. */
    Loaded open(HandlerHost host);

    /** Gets what OnRequest returns. */
    interface Answer {

        /** Takes a response that is complete. */
        void whole(HttpResponse response);

        /** Takes the beginning of one, and {@link #part} the next part of its body; return whether more is wanted. */
        boolean begin(HttpResponse first) throws HostFailure;

        boolean part(byte[] bytes) throws HostFailure;
    }

    /** Code in its thread. */
    interface Loaded extends AutoCloseable {

        InvocationResult handle(Event event);

        /** Returns the statements that stand in the code. */
        default List<String> statements() {
            return List.of();
        }

        /** Calls OnDeploy. */
        default InvocationResult deploy(Frame.Deploy deploy) {
            return new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT);
        }

        /**
         * Calls OnRequest.
         *
         * @param timeout how long it may run
         * @param answer gets what it returns
         */
        default InvocationResult request(HttpRequest request, Duration timeout, Answer answer) {
            return new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT);
        }

        /** Stops the invocation that runs. Called by another thread. */
        default void interrupt() {}

        @Override
        default void close() {}
    }
}
