package io.millrace.eventing.http.timers;

import static io.millrace.eventing.http.Requests.get;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.deadletter.DeadLetterStore.Kept;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.http.Answers;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.http.Requests;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.problemdetails.ProblemException;
import io.millrace.workerprotocol.Outcome;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Changes and timers that a function failed to handle: list, show, replay and drop them. */
@RestController
@RequestMapping("/api/v1/functions/{name}/dead-letters")
@Tag(name = "dead letters", description = "Changes and timers that functions could not handle")
class DeadLettersController {

    static final String TIMER = "timer";
    private static final String CHANGE = "change";
    private static final int STANDARD_PAGE = 100;
    private static final int MAX_PAGE = 1000;

    private final FunctionLetters functions;
    private final DeadLetterStore store;
    private final TimerLetters timers;
    private final FunctionRuntime runtime;

    DeadLettersController(
            FunctionLetters functions, DeadLetterStore store, TimerLetters timers, FunctionRuntime runtime) {
        this.functions = functions;
        this.store = store;
        this.timers = timers;
        this.runtime = runtime;
    }

    @GetMapping
    @Operation(summary = "Dead letters of a function, newest first")
    Mono<Map<String, Object>> list(
            FunctionName name,
            @RequestParam(required = false) @Nullable String kind,
            @RequestParam(required = false) @Nullable String before,
            @RequestParam(required = false) @Nullable Integer limit,
            Asker asker) {
        boolean withChanges = wanted(kind, CHANGE);
        boolean withTimers = wanted(kind, TIMER);
        int most = Math.clamp(limit == null ? STANDARD_PAGE : limit, 1, MAX_PAGE);
        return Requests.work(() -> {
            CheckpointGroup group = functions.group(name);
            Place place = Place.of(before);
            List<Kept> changes = withChanges ? get(store.list(group, place.number(), most)) : List.of();
            List<io.millrace.timers.DeadLetter> callbacks =
                    withTimers ? timers.list(name, place.timer(), place.died(), most) : List.of();
            List<Map<String, Object>> rows = new ArrayList<>();
            int change = 0;
            int callback = 0;
            while (rows.size() < most && (change < changes.size() || callback < callbacks.size())) {
                boolean takeChange = callback == callbacks.size()
                        || change < changes.size()
                                && changes.get(change).letter().tries().died()
                                        >= callbacks.get(callback).diedAt();
                if (takeChange) {
                    Kept kept = changes.get(change++);
                    rows.add(row(kept));
                    place = place.behind(kept);
                } else {
                    io.millrace.timers.DeadLetter letter = callbacks.get(callback++);
                    rows.add(timers.row(name, letter, asker));
                    place = place.behind(letter);
                }
            }
            Map<String, Object> page = new LinkedHashMap<>();
            page.put("total", (withChanges ? get(store.count(group)) : 0) + (withTimers ? timers.count(name) : 0));
            page.put("dead_letters", rows);
            if (rows.size() == most) {
                page.put("next", place.text());
            }
            return page;
        });
    }

    private static boolean wanted(@Nullable String kind, String one) {
        if (kind != null && !kind.equals(CHANGE) && !kind.equals(TIMER)) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST, "kind must be change or timer, not '%s'.".formatted(kind));
        }
        return kind == null || kind.equals(one);
    }

    /**
     * The position of a page in the list.
     *
     * @param number the number of the last letter of a change
     * @param timer the name of the last letter of a timer, null for none
     * @param died when that timer died
     */
    private record Place(long number, @Nullable String timer, long died) {

        static Place of(@Nullable String text) {
            if (text == null) {
                return new Place(Long.MAX_VALUE, null, 0);
            }
            String[] parts = text.split(",", -1);
            try {
                return parts.length == 1
                        ? new Place(Long.parseLong(text), null, 0)
                        : new Place(Long.parseLong(parts[0]), parts[1], Long.parseLong(parts[2]));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST,
                        "before must be the value of next of the previous page, not '%s'.".formatted(text));
            }
        }

        Place behind(Kept kept) {
            return new Place(kept.number(), timer, died);
        }

        Place behind(io.millrace.timers.DeadLetter letter) {
            return new Place(number, TimerLetters.name(letter), letter.diedAt());
        }

        String text() {
            return timer == null ? Long.toString(number) : number + "," + timer + "," + died;
        }
    }

    @GetMapping("/{letter}")
    @Operation(
            summary = "One dead letter; of a change with the stack and the document as it was",
            description = "The document is for those who may read it where the function does.")
    Mono<Map<String, Object>> show(FunctionName name, @PathVariable String letter, Asker asker) {
        return Requests.work(() -> {
            if (TimerLetters.isName(letter)) {
                return timers.row(name, timer(name, letter), asker);
            }
            Kept kept = find(name, letter);
            Map<String, Object> shown = row(kept);
            shown.put("stack", kept.letter().failure().stack());
            shown.put("document_bytes", kept.letter().content().documentBytes());
            if (kept.letter().content().document() != null && functions.showsSource(name, asker.subject())) {
                shown.put("document", kept.letter().content().document());
            }
            return shown;
        });
    }

    @PostMapping("/{letter}/replay")
    @Operation(summary = "Replay one dead letter with the deployed code, or with a draft whose result is returned")
    Mono<Map<String, Object>> replay(FunctionName name, @PathVariable String letter, Body body, Asker asker) {
        return Requests.work(() -> {
            FunctionSpec spec = draft(name, body, asker);
            if (TimerLetters.isName(letter)) {
                return replay(name, timer(name, letter), spec);
            }
            Kept kept = find(name, letter);
            if (functions.ofChannel(name)) {
                throw notReplayable();
            }
            if (spec == null) {
                get(store.askForReplay(functions.group(name), List.of(letter)));
                return Answers.ok(Map.of("replaying", 1));
            }
            Optional<Outcome> outcome = get(runtime.tryOut(spec, kept.letter()));
            if (outcome.isEmpty() && kept.letter().ofEvent()) {
                return Answers.ok(Map.of("result", "gone", "dropped", false, "error", DraftOfAll.GONE));
            }
            boolean over = outcome.isEmpty() || outcome.get().ok();
            if (over) {
                get(store.drop(functions.group(name), List.of(letter)));
            }
            return Answers.ok(tried(outcome, over));
        });
    }

    private Map<String, Object> replay(
            FunctionName name, io.millrace.timers.DeadLetter letter, @Nullable FunctionSpec draft) throws Exception {
        if (draft == null) {
            timers.replay(name, letter);
            return Answers.ok(Map.of("replaying", 1));
        }
        Outcome outcome = get(runtime.tryOut(draft, letter.timer()));
        boolean over = outcome.result() == Outcome.Result.SUCCESS; // skipped: the draft has no such callback
        if (over) {
            timers.drop(name, List.of(letter));
        }
        return Answers.ok(tried(Optional.of(outcome), over));
    }

    /** Returns the draft in a body, null if there is none. */
    private @Nullable FunctionSpec draft(FunctionName name, Body body, Asker asker) {
        JsonNode json = body.optionalJson();
        if (json == null || !json.has("code")) {
            return null;
        }
        JsonNode code = json.get("code");
        if (!code.isString()) {
            throw FunctionsException.of(ErrorCode.ERR_INVALID_REQUEST, "code must be a string of JavaScript.");
        }
        return functions.replaying(name, code.asString(), asker.subject());
    }

    private static Map<String, Object> tried(Optional<Outcome> outcome, boolean over) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(
                "result",
                outcome.map(ended -> ended.result().name())
                        .orElse("NO_DOCUMENT")
                        .toLowerCase(Locale.ROOT));
        answer.put("dropped", over);
        outcome.filter(ended -> !ended.ok()).ifPresent(ended -> {
            answer.put("error", ended.message());
            answer.put("line", ended.line());
            answer.put("column", ended.column());
            answer.put("stack", ended.stack());
        });
        return answer;
    }

    @PostMapping("/replay")
    @Operation(summary = "Replay all dead letters with the deployed code, or with a draft whose results are returned")
    Mono<Map<String, Object>> replayAll(FunctionName name, Body body, Asker asker) {
        return Requests.work(() -> {
            CheckpointGroup group = functions.group(name);
            FunctionSpec spec = draft(name, body, asker);
            List<String> letters = get(store.names(group));
            if (functions.ofChannel(name) && !letters.isEmpty()) {
                if (timers.count(name) == 0) {
                    throw notReplayable();
                }
                letters = List.of();
            }
            if (spec != null) {
                return Answers.ok(new DraftOfAll(store, timers, runtime, spec).replay(name, group));
            }
            int changes = get(store.askForReplay(group, letters));
            return Answers.ok(Map.of("replaying", changes + timers.replayAll(name)));
        });
    }

    private static ProblemException notReplayable() {
        return TimersController.problem(
                HttpStatus.CONFLICT,
                "channel_not_replayable",
                "A channel keeps no messages, so the dead letters of messages of this function cannot be replayed. Publish what"
                        + " they show again, and drop them.");
    }

    @DeleteMapping("/{letter}")
    @Operation(summary = "Drop one dead letter")
    Mono<Map<String, Object>> drop(FunctionName name, @PathVariable String letter) {
        return Requests.work(() -> {
            if (TimerLetters.isName(letter)) {
                return Answers.ok(Map.of("dropped", timers.drop(name, List.of(timer(name, letter)))));
            }
            find(name, letter);
            return Answers.ok(Map.of("dropped", get(store.drop(functions.group(name), List.of(letter)))));
        });
    }

    @DeleteMapping
    @Operation(summary = "Drop all dead letters")
    Mono<Map<String, Object>> dropAll(FunctionName name) {
        return Requests.work(() -> {
            CheckpointGroup group = functions.group(name);
            int changes = get(store.drop(group, get(store.names(group))));
            return Answers.ok(Map.of("dropped", changes + timers.drop(name, timers.all(name))));
        });
    }

    private io.millrace.timers.DeadLetter timer(FunctionName name, String letter) throws Exception {
        return timers.find(name, letter).orElseThrow(() -> missing(letter));
    }

    static ProblemException missing(String letter) {
        return TimersController.problem(
                HttpStatus.NOT_FOUND,
                "dead_letter_not_found",
                "The function has no dead letter '%s'.".formatted(letter));
    }

    private Kept find(FunctionName name, String letter) throws Exception {
        return get(store.find(functions.group(name), letter)).orElseThrow(() -> missing(letter));
    }

    private static Map<String, Object> row(Kept kept) {
        DeadLetter letter = kept.letter();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("letter", letter.name());
        row.put("kind", CHANGE);
        row.put("entry_point", letter.entryPoint());
        row.put("version", letter.version());
        if (letter.trace() != null) {
            row.put("trace", letter.trace());
        }
        row.put("scope", letter.change().scope());
        row.put("collection", letter.change().collection());
        row.put("id", letter.change().id());
        row.put("vb", letter.vbucket());
        row.put("seq", letter.change().seqno());
        row.put("cas", Long.toString(letter.change().cas()));
        row.put("result", letter.failure().result());
        row.put("error", letter.failure().error());
        row.put("line", letter.failure().line());
        row.put("column", letter.failure().column());
        row.put("attempts", letter.tries().attempts());
        row.put(
                "first_failed",
                Instant.ofEpochMilli(letter.tries().firstFailed()).toString());
        row.put("died", Instant.ofEpochMilli(letter.tries().died()).toString());
        row.put("replaying", kept.replaying());
        return row;
    }
}
