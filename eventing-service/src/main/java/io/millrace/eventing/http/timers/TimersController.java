package io.millrace.eventing.http.timers;

import io.millrace.documents.DocumentsException;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.http.Answers;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Body;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.timers.FunctionTimers;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemException;
import io.millrace.timers.DeadLetter;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerLimits;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Change;
import io.millrace.timers.TimerStore.DirectoryEntry;
import io.millrace.timers.TimerStore.ListedTimer;
import io.millrace.timers.TimerStore.Periods;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.timers.TimerStore.TimerQuery;
import io.millrace.timers.TimerStore.TimerQuery.Place;
import io.millrace.timers.TimersException;
import io.millrace.timers.firing.TimerScanner.PartitionScan;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** The timers of a function: list, fire, move and cancel them. */
@RestController
@RequestMapping("/api/v1/functions/{name}/timers")
@Tag(name = "timers", description = "Timers of functions")
class TimersController {

    private static final int STANDARD_PAGE = 100;
    private static final int STANDARD_PERIODS = 96;
    private static final Duration STANDARD_SPAN = Duration.ofDays(1);

    private final FunctionTimers functions;
    private final FunctionLetters readable;
    private final TimerStore store;
    private final InstantSource clock;
    private final FunctionRuntime runtime;

    TimersController(
            FunctionTimers functions,
            FunctionLetters readable,
            TimerStore store,
            InstantSource clock,
            FunctionRuntime runtime) {
        this.functions = functions;
        this.readable = readable;
        this.store = store;
        this.clock = clock;
        this.runtime = runtime;
    }

    @GetMapping
    @Operation(
            summary = "Timers of a function by due time",
            description = "Their contexts are for those who may read the metadata of the function.")
    Mono<Map<String, Object>> list(
            FunctionName name,
            @RequestParam(required = false) @Nullable String callback,
            @RequestParam(required = false) @Nullable String reference,
            @RequestParam(required = false) @Nullable String document,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(required = false) @Nullable String after,
            @RequestParam(required = false) @Nullable Integer limit,
            Asker asker) {
        TimerQuery query = new TimerQuery(
                callback,
                reference,
                document,
                from == null ? 0 : moment("from", from),
                to == null ? TimerLimits.LATEST_DUE.toEpochMilli() : moment("to", to),
                after == null ? null : place(after),
                limit == null ? STANDARD_PAGE : limit);
        return answer(() -> of(name, group -> store.list(group, query))).map(timers -> {
            Map<String, Object> page = new LinkedHashMap<>();
            boolean contexts = readable.showsContexts(name, asker.subject());
            page.put(
                    "timers",
                    timers.stream().map(timer -> shown(timer, contexts)).toList());
            if (timers.size() == query.limit()) {
                Timer last = timers.getLast().timer();
                page.put("next", last.due() + ":" + last.id().text());
            }
            return page;
        });
    }

    @GetMapping("/density")
    @Operation(summary = "How many timers are due in each of some periods")
    Mono<Map<String, Object>> density(
            FunctionName name,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(required = false) @Nullable Integer periods) {
        Periods asked = periods(
                from == null ? clock.millis() : moment("from", from),
                to == null ? null : moment("to", to),
                periods == null ? STANDARD_PERIODS : periods);
        return answer(() -> of(name, group -> store.density(group, asked))).map(counts -> {
            Map<String, Object> density = new LinkedHashMap<>();
            density.put("from", time(asked.from()));
            density.put("period_ms", asked.lengthMillis());
            density.put("timers", counts);
            return density;
        });
    }

    private static Periods periods(long from, @Nullable Long to, int count) {
        long span = to == null ? STANDARD_SPAN.toMillis() : to - from;
        if (count < 1 || count > TimerLimits.MAX_PERIODS || span < count) {
            throw refused("periods must be 1 to " + TimerLimits.MAX_PERIODS
                    + ", and to at least so many milliseconds later than from.");
        }
        return new Periods(from, Math.ceilDiv(span, count), count);
    }

    @GetMapping("/status")
    @Operation(summary = "Numbers of pending, firing and dead timers, and partitions with overdue timers")
    Mono<Map<String, Object>> status(FunctionName name) {
        return answer(() -> of(
                name,
                group -> store.counts(group)
                        .thenCombine(
                                store.directory(group, group.partitions()),
                                (counts, directory) -> status(name, group, counts, directory))));
    }

    private Map<String, Object> status(
            FunctionName name, TimerGroup group, TimerCounts counts, List<DirectoryEntry> directory) {
        long now = clock.millis();
        List<Map<String, Object>> stopped = directory.stream()
                .filter(entry -> now - entry.due() > TimerGroups.STOPPED_AFTER.toMillis())
                .map(entry -> Map.<String, Object>of("partition", entry.partition(), "overdue_ms", now - entry.due()))
                .toList();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("pending", counts.pending());
        status.put("firing", counts.firing());
        status.put("dead", counts.dead());
        status.put("partitions", group.partitions());
        status.put("shards", group.shards());
        if (!directory.isEmpty()) {
            status.put("next_due", time(directory.getFirst().due()));
        }
        status.put("stopped_partitions", stopped);
        status.put("alarm", !stopped.isEmpty() && functions.firing(name));
        return status;
    }

    private <T> CompletableFuture<T> of(FunctionName name, Function<TimerGroup, CompletableFuture<T>> call) {
        return functions.group(name).thenCompose(call);
    }

    @GetMapping("/scan")
    @Operation(summary = "Progress of this node's scans of timer partitions")
    Mono<Map<String, Object>> scan(FunctionName name) {
        return answer(() -> of(name, group -> runtime.stats(name.toString())))
                .map(stats -> stats.map(found -> found.timers().partitions()).orElse(List.of()))
                .map(partitions -> Map.of(
                        "partitions", partitions.stream().map(this::shown).toList()));
    }

    private Map<String, Object> shown(PartitionScan scan) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("partition", scan.partition());
        shown.put("epoch", scan.epoch());
        shown.put("firing", scan.firing());
        if (scan.claimedAt() != 0) {
            shown.put("position", time(scan.position()));
            shown.put("age_ms", clock.millis() - scan.claimedAt());
        }
        return shown;
    }

    @PostMapping("/fire")
    @Operation(summary = "Fire a timer now")
    Mono<Map<String, Object>> fire(FunctionName name, Body body) {
        TimerId id = id(body.json());
        return changed(() -> of(name, group -> store.move(group, id, clock.millis())));
    }

    @PostMapping("/move")
    @Operation(summary = "Change the due time of a timer")
    Mono<Map<String, Object>> move(FunctionName name, Body body) {
        JsonNode json = body.json();
        TimerId id = id(json);
        long due = moment("due", text(json, "due"));
        return changed(() -> of(name, group -> store.move(group, id, due)));
    }

    @PostMapping("/cancel")
    @Operation(summary = "Cancel a timer")
    Mono<Map<String, Object>> cancel(FunctionName name, Body body) {
        TimerId id = id(body.json());
        return changed(() -> of(name, group -> store.cancel(group, id)));
    }

    private static Map<String, Object> shown(ListedTimer listed, boolean contexts) {
        Map<String, Object> shown = shown(listed.timer(), contexts);
        shown.put("firing", listed.firing());
        return shown;
    }

    static Map<String, Object> shown(DeadLetter letter, boolean contexts) {
        Map<String, Object> shown = shown(letter.timer(), contexts);
        shown.put("version", Long.toString(letter.timer().version()));
        shown.put("died", time(letter.diedAt()));
        shown.put("error", letter.error());
        return shown;
    }

    private static Map<String, Object> shown(Timer timer, boolean contexts) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("callback", timer.id().callback());
        shown.put("reference", timer.id().reference());
        shown.put("due", time(timer.due()));
        shown.put("created_for", time(timer.firstDue()));
        shown.put("failures", timer.failures());
        if (timer.staleAfter() != NewTimer.NEVER_STALE) {
            shown.put("skip_after", time(timer.staleAfter()));
        }
        if (!timer.opaque().isEmpty()) {
            shown.put("opaque", timer.opaque());
        }
        String context = timer.context();
        if (context != null && contexts) {
            shown.put("context", context);
        }
        return shown;
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    private static <T> Mono<T> answer(Supplier<CompletableFuture<T>> call) {
        return Mono.fromFuture(call::get)
                .onErrorMap(
                        e -> e instanceof TimersException || e instanceof DocumentsException,
                        e -> FunctionsException.of(ErrorCode.ERR_REQUESTED_OP_FAILED, String.valueOf(e.getMessage())));
    }

    private static Mono<Map<String, Object>> changed(Supplier<CompletableFuture<Change>> call) {
        return answer(call).map(change -> {
            expectDone(
                    change, () -> problem(HttpStatus.NOT_FOUND, "timer_not_found", "The function has no such timer."));
            return Answers.ok("done");
        });
    }

    /** Throws if nothing was changed; {@code missing} makes the problem that the timer was not found. */
    static void expectDone(Change change, Supplier<ProblemException> missing) {
        switch (change) {
            case DONE -> {}
            case NOT_FOUND -> throw missing.get();
            case FIRING -> throw problem(HttpStatus.CONFLICT, "timer_fired", "The timer has already been fired.");
            case EXISTS ->
                throw problem(
                        HttpStatus.CONFLICT,
                        "timer_exists",
                        "The function already has a timer of this callback and reference.");
            case FENCED -> throw problem(HttpStatus.CONFLICT, "function_not_deployed", "The function is not deployed.");
        }
    }

    static ProblemException problem(HttpStatus status, String code, String detail) {
        return ProblemException.of(Problem.of(status, code, detail));
    }

    private static TimerId id(JsonNode json) {
        try {
            return new TimerId(text(json, "callback"), text(json, "reference"));
        } catch (TimersException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    private static String text(JsonNode json, String field) {
        JsonNode value = json.get(field);
        if (value == null || !value.isValueNode()) {
            throw refused("The body must be a JSON object with the member '%s'.".formatted(field));
        }
        return value.asString();
    }

    /** Reads milliseconds since 1970, or a time such as 2026-01-31T12:00:00Z. */
    private static long moment(String field, String text) {
        try {
            return text.chars().allMatch(Character::isDigit)
                    ? Long.parseLong(text)
                    : Instant.parse(text).toEpochMilli();
        } catch (NumberFormatException | DateTimeParseException e) {
            throw refused("%s must be milliseconds since 1970 or a time in UTC such as 2026-01-31T12:00:00Z, not '%s'."
                    .formatted(field, text));
        }
    }

    private static Place place(String token) {
        int colon = token.indexOf(':');
        if (colon < 0) {
            throw refused("after must be the value of next of the previous page, not '%s'.".formatted(token));
        }
        return new Place(moment("after", token.substring(0, colon)), token.substring(colon + 1));
    }

    private static FunctionsException refused(String why) {
        return FunctionsException.of(ErrorCode.ERR_INVALID_REQUEST, why);
    }
}
