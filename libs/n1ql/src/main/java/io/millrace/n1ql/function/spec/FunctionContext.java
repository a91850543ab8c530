package io.millrace.n1ql.function.spec;

import com.google.re2j.Pattern;
import io.millrace.n1ql.ErrorCode;
import java.time.Instant;
import java.time.ZoneId;
import java.util.random.RandomGenerator;

/** What functions may ask of the request that they run in. */
public interface FunctionContext {

    /** Returns the moment when the request began: NOW_... is the same throughout. */
    Instant requestTime();

    /** Returns this moment. */
    Instant now();

    ZoneId zone();

    RandomGenerator random();

    /** Notes something that the client should know; each code once. */
    void warn(ErrorCode code, String message);

    /** Throws when the request has been cancelled or has run out of time. Call it in long loops. */
    void check();

    /** Returns a compiled pattern, kept for the request; null when the text is none. */
    @org.jspecify.annotations.Nullable
    Pattern pattern(String regex);
}
