package io.millrace.eventing.metrics;

import io.millrace.workerprotocol.LogLine;
import java.util.List;

/** Receives the log lines of one function. Thread-safe; must not throw. */
@FunctionalInterface
public interface FunctionLog {

    void append(List<LogLine> lines);
}
