package io.millrace.subdocservice.rest.request;

import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** What a request demands of the document before it is changed: {@code If-Match} and {@code If-None-Match}. */
public sealed interface Precondition {

    /** Any state will do. */
    record None() implements Precondition {}

    /** The document must live: {@code If-Match: *}. */
    record Exists() implements Precondition {}

    /** The document must have this version: {@code If-Match: "<cas>"}. */
    record Version(long cas) implements Precondition {}

    /** The document must not live: {@code If-None-Match: *}. */
    record Absent() implements Precondition {}

    /** An entity tag as this service makes them; the quotes may be missing, as people type them into curl. */
    Pattern CAS = Pattern.compile("\"?([0-9]{1,19})\"?");

    /** Reads the headers of a request that writes. */
    static Precondition of(HttpHeaders headers) {
        String match = headers.getFirst(HttpHeaders.IF_MATCH);
        String noneMatch = headers.getFirst(HttpHeaders.IF_NONE_MATCH);
        if (match == null && noneMatch == null) {
            return new None();
        }
        if (match != null && noneMatch != null) {
            throw invalid("Give If-Match or If-None-Match, not both.");
        }
        if (noneMatch != null) {
            if (!noneMatch.strip().equals("*")) {
                throw invalid("A write takes only 'If-None-Match: *', which creates a document and replaces none.");
            }
            return new Absent();
        }
        return ofMatch(match == null ? "" : match.strip());
    }

    private static Precondition ofMatch(String match) {
        if (match.equals("*")) {
            return new Exists();
        }
        Matcher form = CAS.matcher(match);
        long cas = form.matches() ? Long.parseUnsignedLong(form.group(1)) : 0;
        if (cas <= 0) {
            throw invalid("If-Match takes '*' or one ETag of this document as a GET gives it, a number in quotes; "
                    + "'%s' is not one.".formatted(match));
        }
        return new Version(cas);
    }

    /** Returns the entity tag of a version, or null for the version 0 of a document that is not there. */
    static @Nullable String etag(long cas) {
        return cas == 0 ? null : "\"" + cas + '"';
    }

    private static ApiException invalid(String message) {
        return ApiException.of(ApiError.INVALID_HEADER, message);
    }
}
