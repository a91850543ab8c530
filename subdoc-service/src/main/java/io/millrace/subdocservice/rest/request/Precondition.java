package io.millrace.subdocservice.rest.request;

import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** The condition that a document must meet before a write: {@code If-Match} and {@code If-None-Match}. */
public sealed interface Precondition {

    /** No condition. */
    record None() implements Precondition {}

    /** The document must exist: {@code If-Match: *}. */
    record Exists() implements Precondition {}

    /** The document must have this version: {@code If-Match: "<cas>"}. */
    record Version(long cas) implements Precondition {}

    /** The document must not exist: {@code If-None-Match: *}. */
    record Absent() implements Precondition {}

    /** An entity tag of this service; the quotes are optional, for people who type it into curl. */
    Pattern CAS = Pattern.compile("\"?([0-9]{1,19})\"?");

    /** Reads the headers of a write. */
    static Precondition of(HttpHeaders headers) {
        String match = headers.getFirst(HttpHeaders.IF_MATCH);
        String noneMatch = headers.getFirst(HttpHeaders.IF_NONE_MATCH);
        if (match == null && noneMatch == null) {
            return new None();
        }
        if (match != null && noneMatch != null) {
            throw invalid("If-Match and If-None-Match exclude each other.");
        }
        if (noneMatch != null) {
            if (!noneMatch.strip().equals("*")) {
                throw invalid(
                        "A write supports only 'If-None-Match: *', which creates a document and never replaces one.");
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

    /** Returns the entity tag of a version, or null for version 0, which means that the document does not exist. */
    static @Nullable String etag(long cas) {
        return cas == 0 ? null : "\"" + cas + '"';
    }

    private static ApiException invalid(String message) {
        return ApiException.of(ApiError.INVALID_HEADER, message);
    }
}
