package io.millrace.eventing.metrics;

import io.millrace.workerprotocol.LogLine;
import java.util.List;

/** Receives the log lines of one function, and what it does with changes that are traced. Thread-safe; must not throw. */
@FunctionalInterface
public interface FunctionLog {

    void append(List<LogLine> lines);

    /** @param spans as JSON */
    default void traced(byte[] spans) {}
}
