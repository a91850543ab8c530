package io.millrace.handler;

import io.millrace.handler.host.HttpCall;
import java.util.Optional;

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
