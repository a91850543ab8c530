package io.millrace.handler.bridge;

import io.millrace.handler.HandlerLimits;
import io.millrace.handler.code.UserCode;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.sandbox.Fault;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Tells the host which lines of the code call it. Asking the engine for the line takes some microseconds, so only a
 * limited number of calls per second is looked up one by one; past that, calls are sampled.
 */
final class Insight {

    private static final long SECOND = 1_000_000_000L;
    private static final Pattern FRAME = Pattern.compile("at (?:(.+) \\()?[^\\n]*:(\\d+):(\\d+)\\)?(?:\\n|$)");

    /**
     * The place of a call in the code.
     *
     * @param line from 1
     * @param function the innermost function there, "" when it has no name
     */
    record Caller(int line, String function) {}

    private final HandlerHost host;
    private final UserCode code;
    private final boolean wanted;
    private @Nullable Value where;
    private long secondBegan;
    private int callsOfSecond;
    private @Nullable String logged;

    Insight(HandlerHost host, UserCode code) {
        this.host = host;
        this.code = code;
        this.wanted = host.wantsInsight();
    }

    /** @param function returns the stack of the code that calls the host */
    void ask(Value function) {
        where = function;
    }

    /** Returns whether the host wants to be told of calls. */
    boolean wanted() {
        return wanted && where != null;
    }

    /** Returns how many calls the next one is counted for, 0 when it is not looked up. */
    int weight(long now) {
        if (now - secondBegan > SECOND) {
            secondBegan = now;
            callsOfSecond = 0;
        }
        callsOfSecond++;
        if (callsOfSecond <= HandlerLimits.INSIGHT_CALLS_PER_SECOND) {
            return 1;
        }
        return callsOfSecond % HandlerLimits.INSIGHT_SAMPLE == 0 ? HandlerLimits.INSIGHT_SAMPLE : 0;
    }

    /** Records what the current call logs. */
    void logs(String line) {
        logged = line;
    }

    /** Tells the host of a call that has ended. */
    void called(int weight, long nanos) {
        String text = logged;
        logged = null;
        Caller caller = caller();
        if (caller != null) {
            host.called(caller.line(), weight, weight * nanos / 1000, text == null ? "" : text);
        }
    }

    /** Returns the line and function that call the host now, or null when they cannot be found. */
    @Nullable
    Caller caller() {
        Value function = where;
        if (function == null) {
            return null;
        }
        try {
            Value stack = function.execute();
            Matcher frame = FRAME.matcher(stack.isString() ? stack.asString() : "");
            if (!frame.find()) {
                return null;
            }
            int line = code.placeInSource(Integer.parseInt(frame.group(2)), Integer.parseInt(frame.group(3)))
                    .line();
            return line == 0 ? null : new Caller(line, frame.group(1) == null ? "" : frame.group(1));
        } catch (PolyglotException e) {
            if (Fault.of(e) == Fault.CODE) {
                return null; // not enough stack left to ask
            }
            throw e;
        } catch (StackOverflowError | NumberFormatException e) {
            return null;
        }
    }
}
