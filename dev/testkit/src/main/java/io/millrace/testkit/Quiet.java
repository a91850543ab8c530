package io.millrace.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** Calls code whose log lines would mislead the reader. */
final class Quiet {

    private Quiet() {}

    static <T> T call(String loggerName, Supplier<T> body) {
        boolean logback = LoggerFactory.getILoggerFactory().getClass().getName().startsWith("ch.qos.logback.");
        return logback ? Logback.call(loggerName, body) : body.get();
    }

    /** Loaded only if Logback is on the class path. */
    private static final class Logback {
        static <T> T call(String loggerName, Supplier<T> body) {
            Logger logger = (Logger) LoggerFactory.getLogger(loggerName);
            Level before = logger.getLevel();
            logger.setLevel(Level.OFF);
            try {
                return body.get();
            } finally {
                logger.setLevel(before);
            }
        }
    }
}
