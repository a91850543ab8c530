package io.millrace.eventing.http;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.DeadLetter;
import io.millrace.eventing.checkpoint.DeadLetterStore;
import io.millrace.eventing.checkpoint.DeadLetterStore.Kept;
import io.millrace.eventing.functions.ErrorCode;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.functions.FunctionName;
import io.millrace.eventing.functions.FunctionsException;
import io.millrace.eventing.producer.DeployRejected;
import io.millrace.eventing.producer.FunctionRuntime;
import io.millrace.eventing.producer.FunctionSpec;
import io.millrace.workerlink.Outcome;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** The changes that a function could not handle: to look at, to replay, to drop. */
@RestController
@RequestMapping("/api/v1/functions/{name}/dead-letters")
@Tag(name = "dead letters", description = "Changes that functions could not handle")
class DeadLettersController {

    private static final int STANDARD_PAGE = 100;
    private static final int MAX_PAGE = 1000;

    private final FunctionLetters functions;
    private final DeadLetterStore store;
    private final FunctionRuntime runtime;

    DeadLettersController(FunctionLetters functions, DeadLetterStore store, FunctionRuntime runtime) {
        this.functions = functions;
        this.store = store;
        this.runtime = runtime;
    }

    @GetMapping
    @Operation(summary = "Dead letters, newest first; next is the value of before for the following page")
    Mono<Map<String, Object>> list(
            FunctionName name,
            @RequestParam(required = false) @Nullable Long before,
            @RequestParam(required = false) @Nullable Integer limit) {
        int most = Math.clamp(limit == null ? STANDARD_PAGE : limit, 1, MAX_PAGE);
        return Requests.work(() -> {
            CheckpointGroup group = functions.group(name);
            List<Kept> letters = get(store.list(group, before == null ? Long.MAX_VALUE : before, most));
            Map<String, Object> page = new LinkedHashMap<>();
            page.put("total", get(store.count(group)));
            page.put(
                    "dead_letters",
                    letters.stream().map(DeadLettersController::row).toList());
            if (letters.size() == most) {
                page.put("next", letters.getLast().number());
            }
            return page;
        });
    }

    @GetMapping("/{letter}")
    @Operation(summary = "One dead letter, with the stack and the document as it was")
    Mono<Map<String, Object>> show(FunctionName name, @PathVariable String letter) {
        return Requests.work(() -> {
            Kept kept = find(name, letter);
            Map<String, Object> shown = row(kept);
            shown.put("stack", kept.letter().stack());
            shown.put("document_bytes", kept.letter().documentBytes());
            if (kept.letter().document() != null) {
                shown.put("document", kept.letter().document());
            }
            return shown;
        });
    }

    @PostMapping("/{letter}/replay")
    @Operation(
            summary =
                    "Have the document handled again as it is now: by the deployed code, or with {code} by a draft, whose outcome is answered")
    Mono<Map<String, Object>> replay(FunctionName name, @PathVariable String letter, Body body) {
        return Requests.work(() -> {
            JsonNode draft = body.optionalJson();
            Kept kept = find(name, letter);
            if (draft == null || !draft.has("code")) {
                get(store.askForReplay(functions.group(name), List.of(letter)));
                return Answers.ok(Map.of("replaying", 1));
            }
            JsonNode code = draft.get("code");
            if (!code.isString()) {
                throw FunctionsException.of(ErrorCode.ERR_INVALID_REQUEST, "code must be a string of JavaScript.");
            }
            return Answers.ok(tried(name, kept.letter(), functions.draft(name, code.asString())));
        });
    }

    private Map<String, Object> tried(FunctionName name, DeadLetter letter, FunctionSpec draft) throws Exception {
        Optional<Outcome> outcome = get(runtime.tryOut(draft, letter));
        boolean over = outcome.isEmpty() || outcome.get().ok();
        if (over) {
            get(store.drop(functions.group(name), List.of(letter.name())));
        }
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
    @Operation(summary = "Have the documents of all dead letters handled again by the deployed code")
    Mono<Map<String, Object>> replayAll(FunctionName name) {
        return Requests.work(() -> {
            CheckpointGroup group = functions.group(name);
            return Answers.ok(Map.of("replaying", get(store.askForReplay(group, get(store.names(group))))));
        });
    }

    @DeleteMapping("/{letter}")
    @Operation(summary = "Drop one dead letter")
    Mono<Map<String, Object>> drop(FunctionName name, @PathVariable String letter) {
        return Requests.work(() -> {
            find(name, letter);
            return Answers.ok(Map.of("dropped", get(store.drop(functions.group(name), List.of(letter)))));
        });
    }

    @DeleteMapping
    @Operation(summary = "Drop all dead letters")
    Mono<Map<String, Object>> dropAll(FunctionName name) {
        return Requests.work(() -> {
            CheckpointGroup group = functions.group(name);
            return Answers.ok(Map.of("dropped", get(store.drop(group, get(store.names(group))))));
        });
    }

    private Kept find(FunctionName name, String letter) throws Exception {
        return get(store.find(functions.group(name), letter))
                .orElseThrow(() -> FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST, "There is no dead letter %s.".formatted(letter)));
    }

    private static Map<String, Object> row(Kept kept) {
        DeadLetter letter = kept.letter();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("letter", letter.name());
        row.put("entry_point", letter.entryPoint());
        row.put("scope", letter.scope());
        row.put("collection", letter.collection());
        row.put("id", letter.id());
        row.put("vb", letter.vbucket());
        row.put("seq", letter.seqno());
        row.put("cas", Long.toString(letter.cas()));
        row.put("result", letter.result());
        row.put("error", letter.error());
        row.put("line", letter.line());
        row.put("column", letter.column());
        row.put("attempts", letter.attempts());
        row.put("first_failed", Instant.ofEpochMilli(letter.firstFailed()).toString());
        row.put("died", Instant.ofEpochMilli(letter.died()).toString());
        row.put("replaying", kept.replaying());
        return row;
    }

    /** Waits on a thread that may. */
    private static <T> T get(CompletableFuture<T> call) throws Exception {
        try {
            return call.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case DeployRejected rejected ->
                    throw FunctionsException.of(
                            ErrorCode.ERR_HANDLER_COMPILATION,
                            "%s (line %d, column %d)"
                                    .formatted(rejected.getMessage(), rejected.line(), rejected.column()));
                case FunctionsException known -> throw known;
                case null, default ->
                    throw FunctionsException.of(ErrorCode.ERR_REQUESTED_OP_FAILED, String.valueOf(e.getCause()));
            }
        }
    }
}
