package io.millrace.testkit;

import io.millrace.launcher.redis.RedisConsole;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sets the clock of a Redis as its functions see it, and so the time in every CAS. The clock of a machine cannot be set by a
 * test, so each function library that has been loaded is loaded once more, under its own name, with a step added to the time.
 */
public final class SteppedClock {

    private static final String STEP = "test:clock-step";
    private static final String TIME = "redis.call('TIME')";
    private static final String NAME = "library_name\n";
    private static final String CODE = "library_code\n";

    private static final String STEPPED = """
            local function stepped_time()
              local time = %s
              return {time[1] + (tonumber(redis.call('GET', '%s')) or 0), time[2]}
            end
            """.formatted(TIME, STEP);

    private final RedisConsole redis;

    private SteppedClock(RedisConsole redis) {
        this.redis = redis;
    }

    /**
     * Takes over the clock of the functions that are loaded now.
     *
     * @throws IllegalStateException if none of them reads the time
     */
    public static SteppedClock of(RedisConsole redis) throws IOException {
        SteppedClock clock = new SteppedClock(redis);
        if (clock.takeOver() == 0) {
            throw new IllegalStateException(
                    "No function of this Redis calls " + TIME + "; expected those of a service that has started");
        }
        return clock;
    }

    /** Sets the clock this far from the real one; takes whole seconds. */
    public void step(Duration step) throws IOException {
        redis.call("SET", STEP, Long.toString(step.toSeconds()));
        takeOver(); // a process that has connected since then has loaded its own functions
    }

    /** Returns how many libraries had the clock of the machine until now. */
    private int takeOver() throws IOException {
        int changed = 0;
        for (String library : libraries(redis)) {
            String listed = redis.call("FUNCTION", "LIST", "LIBRARYNAME", library, "WITHCODE");
            String code = listed.substring(listed.indexOf(CODE) + CODE.length());
            if (code.contains(TIME) && !code.contains(STEPPED)) {
                redis.call("FUNCTION", "LOAD", "REPLACE", stepped(code));
                changed++;
            }
        }
        return changed;
    }

    /** The first line names the library. */
    private static String stepped(String code) {
        int body = code.indexOf('\n') + 1;
        return code.substring(0, body) + STEPPED + code.substring(body).replace(TIME, "stepped_time()");
    }

    private static List<String> libraries(RedisConsole redis) throws IOException {
        String listed = redis.call("FUNCTION", "LIST");
        List<String> names = new ArrayList<>();
        for (int at = listed.indexOf(NAME); at >= 0; at = listed.indexOf(NAME, at + 1)) {
            int from = at + NAME.length();
            names.add(listed.substring(from, listed.indexOf('\n', from)));
        }
        return names;
    }
}
