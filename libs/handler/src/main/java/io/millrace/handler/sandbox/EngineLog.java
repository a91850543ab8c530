package io.millrace.handler.sandbox;

import io.millrace.handler.HandlerEngine.RuntimeReport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** Collects the warnings in which the engine explains at its start why it does not compile code. */
final class EngineLog extends Handler {
    private static final String INTERPRETER = "Interpreted";

    private final StringBuilder warnings = new StringBuilder();

    @Override
    public synchronized void publish(LogRecord line) {
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            warnings.append(line.getMessage()).append('\n');
        }
    }

    /** Returns how a runtime that has just started runs code. */
    synchronized RuntimeReport report(String implementation) {
        if (!implementation.equals(INTERPRETER)) {
            return new RuntimeReport(implementation, true, implementation);
        }
        // the first lines say what is wrong; the rest advises on options for all cases
        String reason = warnings.toString()
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .limit(2)
                .reduce((a, b) -> a + " " + b)
                .orElse("no optimizing runtime found");
        return new RuntimeReport(implementation, false, reason);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
