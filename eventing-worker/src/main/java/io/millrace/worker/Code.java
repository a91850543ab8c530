package io.millrace.worker;

import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.HandlerHost;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;

/** Code that runs on events: the handler, or what a test puts in its place. */
@FunctionalInterface
interface Code {

    /** Loads the code into the calling thread. */
    Loaded open(HandlerHost host);

    /** Code in its thread. */
    interface Loaded extends AutoCloseable {

        InvocationResult handle(Event event);

        /** Calls OnDeploy. */
        default InvocationResult deploy(Frame.Deploy deploy) {
            return new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT);
        }

        @Override
        default void close() {}
    }
}
