package io.millrace.eventing.runtime;

import io.millrace.workerprotocol.LogLine;
import java.util.List;

/** Receives the log lines of functions. Thread-safe. */
@FunctionalInterface
public interface LogSink {

    /**
     * Appends lines to the log of a function, oldest first. Called by the loops that serve workers: may take as long as
     * writing to a file does, and must not throw.
     */
    void append(String function, List<LogLine> lines);
}
