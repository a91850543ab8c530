package io.millrace.eventing.http.timers;

import static io.millrace.eventing.http.Requests.get;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Replays all dead letters of a function with a draft of its code, oldest first, and counts what became of them. */
final class DraftOfAll {

    /** After this time no further dead letter is replayed; the response says how many are left. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** How many dead letters are held at a time; each batch has a worker of its own. */
    private static final int BATCH = 500;

    /** The most failures that the response names. */
    private static final int MAX_NAMED = 10;

    /** What is answered of a letter whose event or message cannot be read again. */
    static final String GONE = "What the letter is of is not there any more, so it cannot be replayed and is kept.";

    private final DeadLetterStore store;
    private final TimerLetters timers;
    private final FunctionRuntime runtime;
    private final FunctionSpec draft;
    private final long end = System.nanoTime() + LIMIT.toNanos();
    private final List<Map<String, Object>> failures = new ArrayList<>();
    private int handled;
    private int failed;

    DraftOfAll(DeadLetterStore store, TimerLetters timers, FunctionRuntime runtime, FunctionSpec draft) {
        this.store = store;
        this.timers = timers;
        this.runtime = runtime;
        this.draft = draft;
    }

    Map<String, Object> replay(FunctionName name, CheckpointGroup group) throws Exception {
        List<String> changes = get(store.names(group));
        List<io.millrace.timers.DeadLetter> callbacks = timers.all(name);
        for (int i = 0; i < changes.size() && !over(); i += BATCH) {
            replayChanges(group, changes.subList(i, Math.min(changes.size(), i + BATCH)));
        }
        for (int i = 0; i < callbacks.size() && !over(); i += BATCH) {
            replayTimers(name, callbacks.subList(i, Math.min(callbacks.size(), i + BATCH)));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("handled", handled);
        answer.put("failed", failed);
        answer.put("left", changes.size() + callbacks.size() - handled - failed);
        answer.put("failures", failures);
        return answer;
    }

    private boolean over() {
        return System.nanoTime() - end >= 0;
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    private void replayChanges(CheckpointGroup group, List<String> names) throws Exception {
        List<DeadLetter> letters = new ArrayList<>();
        for (String name : names) {
            get(store.find(group, name)).ifPresent(kept -> letters.add(kept.letter()));
        }
        handled += names.size() - letters.size(); // replayed or dropped meanwhile
        if (letters.isEmpty()) {
            return;
        }
        List<Optional<Outcome>> outcomes = get(runtime.tryOut(draft, letters, List.of(), left()));
        List<String> over = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            Optional<Outcome> outcome = outcomes.get(i);
            String letter = letters.get(i).name();
            if (outcome.isEmpty() && letters.get(i).ofEvent()) {
                fail(letter, GONE, 0, 0);
            } else if (outcome.isEmpty() || outcome.get().ok()) {
                over.add(letter);
            } else {
                fail(letter, outcome.get());
            }
        }
        get(store.drop(group, over));
        handled += over.size();
    }

    private void replayTimers(FunctionName name, List<io.millrace.timers.DeadLetter> letters) throws Exception {
        List<Optional<Outcome>> outcomes = get(runtime.tryOut(
                draft,
                List.of(),
                letters.stream().map(io.millrace.timers.DeadLetter::timer).toList(),
                left()));
        List<io.millrace.timers.DeadLetter> over = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            Outcome outcome = outcomes.get(i).orElseThrow();
            if (outcome.result() == Outcome.Result.SUCCESS) { // skipped: the draft has no such callback
                over.add(letters.get(i));
            } else {
                fail(TimerLetters.name(letters.get(i)), outcome);
            }
        }
        timers.drop(name, over);
        handled += over.size();
    }

    private void fail(String letter, Outcome outcome) {
        fail(letter, outcome.message(), outcome.line(), outcome.column());
    }

    private void fail(String letter, String error, int line, int column) {
        failed++;
        if (failures.size() < MAX_NAMED) {
            failures.add(Map.of("letter", letter, "error", error, "line", line, "column", column));
        }
    }
}
