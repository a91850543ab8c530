package io.millrace.handler;

import java.time.Duration;
import java.util.List;

/**
 * Everything that decides how a function's code behaves.
 *
 * @param name the function's name, shown in stack traces
 * @param code the user's JavaScript, unchanged
 * @param headers lines put before the code; they never count in line numbers
 * @param footers lines put after the code
 * @param executionTimeout the longest that one invocation may run
 * @param allocationLimitBytes the most that one invocation may allocate, garbage included
 * @param strictDocuments true makes documents plain objects from JSON.parse, false lazy views on the document's bytes
 * @param language which release's behaviour the code expects
 * @param aliases the buckets that the code sees as global variables
 * @param constants further global variables with fixed values
 * @param urls names of global variables that stand for the URLs which curl may call
 */
public record HandlerSpec(
        String name,
        String code,
        List<String> headers,
        List<String> footers,
        Duration executionTimeout,
        long allocationLimitBytes,
        boolean strictDocuments,
        LanguageCompatibility language,
        List<Alias> aliases,
        List<Constant> constants,
        List<String> urls) {

    /** Code that has neither constants nor URLs. */
    public HandlerSpec(
            String name,
            String code,
            List<String> headers,
            List<String> footers,
            Duration executionTimeout,
            long allocationLimitBytes,
            boolean strictDocuments,
            LanguageCompatibility language,
            List<Alias> aliases) {
        this(
                name,
                code,
                headers,
                footers,
                executionTimeout,
                allocationLimitBytes,
                strictDocuments,
                language,
                aliases,
                List.of(),
                List.of());
    }

    public HandlerSpec {
        headers = List.copyOf(headers);
        footers = List.copyOf(footers);
        aliases = List.copyOf(aliases);
        constants = List.copyOf(constants);
        urls = List.copyOf(urls);
        if (executionTimeout.isNegative() || executionTimeout.isZero()) {
            throw new IllegalArgumentException("executionTimeout must be positive: " + executionTimeout);
        }
        if (allocationLimitBytes <= 0) {
            throw new IllegalArgumentException("allocationLimitBytes must be positive: " + allocationLimitBytes);
        }
    }

    /**
     * A global variable through which the code reaches a collection.
     *
     * @param access what the code may do with it
     */
    public record Alias(String name, Access access) {}

    /**
     * A global variable with a fixed value.
     *
     * @param literal any JavaScript expression, also an object, an array or a function
     */
    public record Constant(String name, String literal) {}

    HandlerSpec withExecutionTimeout(Duration timeout) {
        return new HandlerSpec(
                name,
                code,
                headers,
                footers,
                timeout,
                allocationLimitBytes,
                strictDocuments,
                language,
                aliases,
                constants,
                urls);
    }

    /** What code may do through an {@link Alias}. */
    public enum Access {
        READ,
        READ_WRITE,
        /** The alias stands for more than one collection, so that {@code alias[id]} names no document. */
        WILDCARD
    }
}
