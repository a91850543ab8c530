package io.millrace.handler;

import io.millrace.handler.host.HttpCall;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Everything that decides how a function's code behaves.
 *
 * @param name the function's name, shown in stack traces
 * @param code the user's JavaScript or TypeScript, unchanged
 * @param headers lines put before the code; they never count in line numbers
 * @param footers lines put after the code
 * @param executionTimeout the longest that one invocation may run
 * @param allocationLimitBytes the most that one invocation may hold; garbage does not count
 * @param strictDocuments true has JSON.parse make the documents, false decodes them when read and keeps the bytes of
 *     what is not changed
 * @param language which release's behaviour the code expects
 * @param aliases the buckets that the code sees as global variables
 * @param constants further global variables with fixed values
 * @param urls names of global variables that stand for the URLs which curl may call
 * @param databases names of global variables that stand for the databases which sql may use
 * @param typescript whether the code is TypeScript, whose types are removed
 * @param libraries what the code may import; the libraries that they import must be among them
 * @param topics names of global variables that stand for the topics to which publish may send messages
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
        List<String> urls,
        List<String> databases,
        boolean typescript,
        List<Library> libraries,
        List<String> topics) {

    /** Code that imports nothing and publishes nothing. */
    public HandlerSpec(
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
            List<String> urls,
            List<String> databases,
            boolean typescript) {
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
                constants,
                urls,
                databases,
                typescript,
                List.of(),
                List.of());
    }

    /** JavaScript that has no constants, URLs and databases. */
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
                List.of(),
                List.of(),
                false);
    }

    public HandlerSpec {
        headers = List.copyOf(headers);
        footers = List.copyOf(footers);
        aliases = List.copyOf(aliases);
        constants = List.copyOf(constants);
        urls = List.copyOf(urls);
        databases = List.copyOf(databases);
        libraries = List.copyOf(libraries);
        topics = List.copyOf(topics);
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
     * @param literal any JavaScript expression, also an object, an array or a function; it may be a secret
     */
    public record Constant(String name, String literal) {

        /** Leaves out the literal. */
        @Override
        public String toString() {
            return "Constant[name=%s]".formatted(name);
        }
    }

    /** Returns a copy whose code may import these libraries; those that they import must be among them. */
    public HandlerSpec withLibraries(List<Library> others) {
        return copy(others, topics);
    }

    /** Returns a copy whose code may publish to these topics. */
    public HandlerSpec withTopics(List<String> others) {
        return copy(libraries, others);
    }

    private HandlerSpec copy(List<Library> otherLibraries, List<String> otherTopics) {
        return new HandlerSpec(
                name,
                code,
                headers,
                footers,
                executionTimeout,
                allocationLimitBytes,
                strictDocuments,
                language,
                aliases,
                constants,
                urls,
                databases,
                typescript,
                otherLibraries,
                otherTopics);
    }

    /** What code may do through an {@link Alias}. */
    public enum Access {
        READ,
        READ_WRITE,
        /** The alias stands for more than one collection, so that {@code alias[id]} names no document. */
        WILDCARD
    }

    /** The releases whose differences a function can ask for, oldest first. */
    public enum LanguageCompatibility {
        /**
         * The first design of 2017: embedded statements with {@code :variables} that run when they are iterated, no
         * anonymous functions, N1QL's verbs reserved. Reading a missing document gives undefined; binary documents are not
         * delivered.
         */
        V5_0_0("5.0.0"),
        /** Reading or deleting a missing document throws a KVError; binary documents are not delivered. */
        V6_0_0("6.0.0"),
        /** Reading a missing document gives undefined, deleting it does nothing; binary documents are not delivered. */
        V6_5_0("6.5.0"),
        /** Binary documents are delivered as ArrayBuffer. */
        V6_6_2("6.6.2"),
        V7_2_0("7.2.0");

        private final String version;

        LanguageCompatibility(String version) {
            this.version = version;
        }

        /** Returns the spelling that function definitions use, such as {@code 7.2.0}. */
        public String version() {
            return version;
        }

        /** Returns the release of this spelling, or nothing when no release is spelt so. */
        public static Optional<LanguageCompatibility> of(String version) {
            for (var candidate : values()) {
                if (candidate.version.equals(version)) {
                    return Optional.of(candidate);
                }
            }
            return Optional.empty();
        }

        public boolean missingDocumentThrows() {
            return this == V6_0_0;
        }

        /** Returns whether the rules of the first design hold. */
        public boolean firstDesign() {
            return this == V5_0_0;
        }

        public HttpCall.UrlEncoding urlEncoding() {
            return compareTo(V7_2_0) >= 0 ? HttpCall.UrlEncoding.V7_2_0 : HttpCall.UrlEncoding.V6_6_2;
        }

        boolean deliversBinary() {
            return compareTo(V6_6_2) >= 0;
        }
    }
}
