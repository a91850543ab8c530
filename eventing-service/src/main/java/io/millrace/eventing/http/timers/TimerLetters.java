package io.millrace.eventing.http.timers;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.timers.FunctionTimers;
import io.millrace.timers.DeadLetter;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Change;
import io.millrace.traces.TraceContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Timers whose callbacks failed for good, as dead letters of their function. Its methods block. */
@Component
class TimerLetters {

    /** Distinguishes the names of timers from those of changes, which begin with a number. */
    private static final String PREFIX = "timer-";

    private final FunctionTimers functions;
    private final FunctionLetters readable;
    private final TimerStore store;
    private final InstantSource clock;

    TimerLetters(FunctionTimers functions, FunctionLetters readable, TimerStore store, InstantSource clock) {
        this.functions = functions;
        this.readable = readable;
        this.store = store;
        this.clock = clock;
    }

    static String name(DeadLetter letter) {
        return PREFIX + letter.timer().version();
    }

    static boolean isName(String letter) {
        return letter.startsWith(PREFIX);
    }

    /**
     * Returns letters, newest first.
     *
     * @param after the name of the last letter of the previous page, and when it died; null for the first page
     * @param most the most letters that the caller takes; a later page may have more
     */
    List<DeadLetter> list(FunctionName name, @Nullable String after, long died, int most) throws Exception {
        if (after == null) {
            return Requests.get(store.deadLetters(group(name), most));
        }
        List<DeadLetter> all = all(name);
        for (int i = 0; i < all.size(); i++) {
            if (name(all.get(i)).equals(after)) {
                return all.subList(i + 1, all.size());
            }
        }
        return all.stream().filter(letter -> letter.diedAt() < died).toList();
    }

    /** Returns all letters, newest first. */
    List<DeadLetter> all(FunctionName name) throws Exception {
        return Requests.get(store.deadLetters(group(name), Integer.MAX_VALUE));
    }

    long count(FunctionName name) throws Exception {
        return Requests.get(store.counts(group(name))).dead();
    }

    Optional<DeadLetter> find(FunctionName name, String letter) throws Exception {
        return all(name).stream().filter(each -> name(each).equals(letter)).findFirst();
    }

    /** Returns the JSON of a letter, with the members that letters of changes have as well. */
    Map<String, Object> row(FunctionName name, DeadLetter letter, Asker asker) {
        Map<String, Object> row = TimersController.shown(letter, readable.showsContexts(name, asker.subject()));
        row.remove("version");
        row.put("letter", name(letter));
        row.put("kind", DeadLettersController.TIMER);
        row.put("entry_point", letter.timer().id().callback());
        if (!letter.timer().trace().isEmpty()) {
            row.put("trace", TraceContext.parse(letter.timer().trace()).traceId());
        }
        return row;
    }

    /** Makes the timer of a letter due now. */
    void replay(FunctionName name, DeadLetter letter) throws Exception {
        TimersController.expectDone(
                Requests.get(store.replay(group(name), letter, clock.millis())),
                () -> DeadLettersController.missing(name(letter)));
    }

    /** Makes the timers of all letters due now; returns their number. */
    int replayAll(FunctionName name) throws Exception {
        int done = 0;
        for (DeadLetter letter : all(name)) {
            done += Requests.get(store.replay(group(name), letter, clock.millis())) == Change.DONE ? 1 : 0;
        }
        return done;
    }

    /** Drops letters; returns how many of them still existed. */
    int drop(FunctionName name, List<DeadLetter> letters) throws Exception {
        int done = 0;
        for (DeadLetter letter : letters) {
            done += Requests.get(store.discard(group(name), letter)) == Change.DONE ? 1 : 0;
        }
        return done;
    }

    private TimerGroup group(FunctionName name) throws InterruptedException, ExecutionException {
        return functions.group(name).get();
    }
}
