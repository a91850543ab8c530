package io.millrace.subdocservice.rest.request;

import io.millrace.documents.Expiry;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;
import org.springframework.web.reactive.function.server.ServerRequest;

/** The expiry of a write in a request: {@code expiry}, {@code Expires-In} or {@code preserve_expiry}. */
public final class ExpiryRequest {

    public static final String PARAMETER = "expiry";
    public static final String PRESERVE_PARAMETER = "preserve_expiry";
    static final String HEADER = "Expires-In";

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

    private ExpiryRequest() {}

    /** Reads the parameters of a write; without any the document never expires. */
    public static Expiry of(ServerRequest request, Instant now) {
        String parameter = single(request, PARAMETER);
        String preserve = single(request, PRESERVE_PARAMETER);
        String header = request.headers().firstHeader(HEADER);
        boolean keep = switch (preserve) {
            case "", "false" -> false;
            case "true" -> true;
            default ->
                throw ApiException.of(
                        ApiError.INVALID_PARAMETER,
                        "preserve_expiry must be 'true' or 'false', not '%s'.".formatted(preserve));
        };
        int said = (parameter.isEmpty() ? 0 : 1) + (header == null ? 0 : 1) + (keep ? 1 : 0);
        if (said > 1) {
            throw ApiException.of(
                    ApiError.INVALID_PARAMETER,
                    "The parameter expiry, the header Expires-In and preserve_expiry=true exclude each other.");
        }
        if (keep) {
            return Expiry.PRESERVE;
        }
        if (header != null) {
            return inSeconds(header.strip(), now);
        }
        return parameter.isEmpty() ? Expiry.NEVER : parse(parameter, now);
    }

    /**
     * Reads seconds from now, a Unix time if the number is more than 30 days in seconds, or an RFC 3339 time; 0 is never.
     * Throws for a Unix time in the past: it was meant as a duration.
     */
    public static Expiry parse(String text, Instant now) {
        if (!NUMBER.matcher(text).matches()) {
            return at(time(text));
        }
        long seconds = Long.parseLong(text);
        if (seconds <= RequestLimits.LONGEST_RELATIVE_EXPIRY.toSeconds()) {
            return inSeconds(text, now);
        }
        if (seconds <= now.getEpochSecond()) {
            throw invalid(
                    "An expiry of %d is more than 30 days in seconds, so it is a Unix time, and this time has passed. "
                                    .formatted(seconds)
                            + "For more than 30 days use the header Expires-In or a time such as 2030-01-31T12:00:00Z.");
        }
        return at(bounded(seconds));
    }

    private static Expiry inSeconds(String text, Instant now) {
        if (!NUMBER.matcher(text).matches() || text.startsWith("-")) {
            throw invalid("An expiry must be a number of seconds from now, 0 or more, not '%s'.".formatted(text));
        }
        long seconds = Long.parseLong(text);
        return seconds == 0 ? Expiry.NEVER : at(bounded(Math.addExact(now.getEpochSecond(), seconds)));
    }

    private static Instant time(String text) {
        try {
            // a plus sign in a query is decoded to a space
            return bounded(OffsetDateTime.parse(text.replace(' ', '+')).toEpochSecond());
        } catch (DateTimeException e) {
            throw invalid("'%s' is not a valid expiry. Send seconds from now or a time such as 2030-01-31T12:00:00Z."
                    .formatted(text));
        }
    }

    private static Instant bounded(long epochSecond) {
        if (epochSecond > RequestLimits.LATEST_EXPIRY.getEpochSecond()) {
            throw invalid("The latest possible expiry is " + RequestLimits.LATEST_EXPIRY + ".");
        }
        return Instant.ofEpochSecond(epochSecond);
    }

    private static Expiry at(Instant time) {
        return Expiry.at(time);
    }

    private static String single(ServerRequest request, String parameter) {
        return request.queryParam(parameter).orElse("").strip();
    }

    private static ApiException invalid(String message) {
        return ApiException.of(ApiError.INVALID_PARAMETER, message);
    }
}
