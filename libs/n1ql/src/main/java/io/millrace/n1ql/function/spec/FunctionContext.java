package io.millrace.n1ql.function.spec;

import com.google.re2j.Pattern;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.value.Value;
import java.time.Instant;
import java.time.ZoneId;
import java.util.random.RandomGenerator;

/** The request in which a function runs. */
public interface FunctionContext {

    /** Returns the time at which the request began, which all NOW_... functions return. */
    Instant requestTime();

    /** Returns the current time. */
    Instant now();

    ZoneId zone();

    RandomGenerator random();

    /** Adds a warning for the client; at most one per code. */
    void warn(ErrorCode code, String message);

    /** Throws if the request has been cancelled or has timed out. Call it in long loops. */
    void check();

    /** Computes a function that runs statements or reads the catalog, by its name in lower case. */
    Value engineFunction(String name, Value[] args);

    /** Returns a compiled regular expression, cached for the request, or null if the text is not one. */
    @org.jspecify.annotations.Nullable
    Pattern pattern(String regex);
}
