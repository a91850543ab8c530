package io.millrace.eventing.http;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.timers.FunctionTimers;
import io.millrace.timers.DeadLetter;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Change;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Timers whose callbacks failed for the last time, as part of the dead letters of their function. Its calls block. */
@Component
class TimerLetters {

    /** Names of letters of changes begin with a number. */
    private static final String PREFIX = "timer-";

    private final FunctionTimers functions;
    private final TimerStore store;
    private final InstantSource clock;

    TimerLetters(FunctionTimers functions, TimerStore store, InstantSource clock) {
        this.functions = functions;
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
     * @param after the name of a letter and when it died, behind which to begin; null for the newest
     */
    List<DeadLetter> list(FunctionName name, @Nullable String after, long died) throws Exception {
        List<DeadLetter> all = Requests.get(store.deadLetters(group(name), Integer.MAX_VALUE));
        if (after == null) {
            return all;
        }
        for (int i = 0; i < all.size(); i++) {
            if (name(all.get(i)).equals(after)) {
                return all.subList(i + 1, all.size());
            }
        }
        return all.stream().filter(letter -> letter.diedAt() < died).toList();
    }

    long count(FunctionName name) throws Exception {
        return Requests.get(store.counts(group(name))).dead();
    }

    Optional<DeadLetter> find(FunctionName name, String letter) throws Exception {
        return list(name, null, 0).stream()
                .filter(each -> name(each).equals(letter))
                .findFirst();
    }

    /** Shows a letter in the terms of a change's. */
    static Map<String, Object> row(DeadLetter letter) {
        Map<String, Object> row = TimersController.shown(letter);
        row.remove("version");
        row.put("letter", name(letter));
        row.put("kind", "timer");
        row.put("entry_point", letter.timer().id().callback());
        return row;
    }

    /** Has a callback called again, now. */
    void replay(FunctionName name, DeadLetter letter) throws Exception {
        TimersController.expectDone(
                Requests.get(store.replay(group(name), letter, clock.millis())),
                "There is no dead letter %s.".formatted(name(letter)));
    }

    /** Has the callbacks of all letters called again; returns of how many. */
    int replayAll(FunctionName name) throws Exception {
        int done = 0;
        for (DeadLetter letter : list(name, null, 0)) {
            done += Requests.get(store.replay(group(name), letter, clock.millis())) == Change.DONE ? 1 : 0;
        }
        return done;
    }

    /** Returns how many were still there. */
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
