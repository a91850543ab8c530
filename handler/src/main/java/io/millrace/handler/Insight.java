package io.millrace.handler;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Tells the host from which lines of the code it is called. Asking the engine for the line takes some microseconds, so
 * that only so many calls of a second are looked at one by one; of the others one stands for several.
 */
final class Insight {

    private static final long SECOND = 1_000_000_000L;
    private static final Pattern PLACE = Pattern.compile(":(\\d+):(\\d+)\\)?(?:\\n|$)");

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

    /** @param function returns the stack of the one who calls the host */
    void ask(Value function) {
        where = function;
    }

    /** Returns whether the host wants to know anything. */
    boolean wanted() {
        return wanted && where != null;
    }

    /** Returns for how many calls the next one stands, 0 when it is not looked at. */
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

    /** Notes what the call that runs logs. */
    void logs(String line) {
        logged = line;
    }

    /** Tells the host of a call that has ended. */
    void called(int weight, long nanos) {
        String text = logged;
        logged = null;
        int line = line();
        if (line > 0) {
            host.called(line, weight, weight * nanos / 1000, text == null ? "" : text);
        }
    }

    private int line() {
        Value function = where;
        if (function == null) {
            return 0;
        }
        try {
            Value stack = function.execute();
            Matcher place = PLACE.matcher(stack.isString() ? stack.asString() : "");
            return place.find()
                    ? code.placeInSource(Integer.parseInt(place.group(1)), Integer.parseInt(place.group(2)))
                            .line()
                    : 0;
        } catch (PolyglotException e) {
            if (Fault.of(e) == Fault.CODE) {
                return 0; // no stack left to ask with
            }
            throw e;
        } catch (StackOverflowError | NumberFormatException e) {
            return 0;
        }
    }
}
