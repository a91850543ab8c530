package io.millrace.metakvservice;

import io.millrace.documents.TransactionId;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvException;
import io.millrace.metakv.MetakvLimits;
import io.millrace.metakv.WriteOutcome;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Entries over HTTP. */
@RestController
@Tag(name = "Entries", description = "Values at paths. A path that ends with a slash is a directory.")
final class EntryController {

    private static final String ROOT = "/_metakv";
    private static final String PATHS = ROOT + "/{*path}";

    /** An entry in a list or a watch; the value in base64, null when it was deleted. */
    record EntryView(
            String path, byte @Nullable [] value, @Nullable String rev) {
        static EntryView of(MetakvEntry entry) {
            return new EntryView(entry.path(), entry.value(), entry.rev());
        }
    }

    private final Entries entries;

    EntryController(Entries entries) {
        this.entries = entries;
    }

    @GetMapping(PATHS)
    @Operation(
            summary = "Get an entry, or list a directory",
            description =
                    "An entry's answer is its bytes, with the rev as ETag. A directory's answer is a JSON array of"
                            + " the entries below it at any depth, values in base64.")
    @ApiResponse(responseCode = "200", description = "The bytes of the entry, or the list")
    @ApiResponse(responseCode = "304", description = "The entry still has the rev of If-None-Match")
    @ApiResponse(responseCode = "404", description = "There is no entry at this path")
    Mono<ResponseEntity<Object>> read(
            @Parameter(hidden = true) ServerHttpRequest request,
            @RequestHeader(name = "If-None-Match", required = false) @Nullable String known) {
        String path = path(request);
        if (path.endsWith("/")) {
            return entries.list(path)
                    .map(found -> ResponseEntity.ok()
                            .contentType(MediaType.APPLICATION_JSON)
                            .body(found.stream().map(EntryView::of).toList()));
        }
        return entries.get(path)
                .map(entry -> {
                    String etag = quoted(entry.rev());
                    return etag.equals(known)
                            ? ResponseEntity.status(HttpStatus.NOT_MODIFIED)
                                    .eTag(etag)
                                    .build()
                            : ResponseEntity.ok()
                                    .eTag(etag)
                                    .contentType(MediaType.APPLICATION_OCTET_STREAM)
                                    .body((Object) entry.value());
                })
                .switchIfEmpty(Mono.error(() -> ApiError.notFound("There is no entry at '" + path + "'.")));
    }

    @GetMapping(value = PATHS, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Operation(
            summary = "Watch a directory",
            description = "Server-sent events: `reset`, one `entry` for each entry, `ready`, then an `entry` for each"
                    + " change, with a null value for a deletion. Last-Event-ID resumes; when that place is not known"
                    + " any more, `reset` and the full list come again.")
    Mono<ResponseEntity<Flux<ServerSentEvent<Object>>>> watch(
            @Parameter(hidden = true) ServerHttpRequest request,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId) {
        Cursor resumed = lastEventId == null ? null : Cursor.parse(lastEventId).orElse(null);
        return entries.watch(path(request), resumed)
                .map(notices -> ResponseEntity.ok()
                        .contentType(MediaType.TEXT_EVENT_STREAM)
                        .header("Cache-Control", "no-store")
                        .body(events(notices)));
    }

    private static Flux<ServerSentEvent<Object>> events(Flux<Notice> notices) {
        Flux<ServerSentEvent<Object>> heartbeat = Flux.interval(MetakvLimits.HEARTBEAT)
                .onBackpressureDrop()
                .map(beat -> ServerSentEvent.builder().comment("alive").build());
        return notices.map(EntryController::event)
                .materialize()
                .mergeWith(heartbeat.materialize())
                .dematerialize();
    }

    private static ServerSentEvent<Object> event(Notice notice) {
        return switch (notice) {
            case Notice.Reset() -> event("reset", null, Map.of());
            case Notice.Ready(Cursor next) -> event("ready", next, Map.of());
            case Notice.Entry(String path, MetakvEntry entry, Cursor next) ->
                event("entry", next, entry == null ? new EntryView(path, null, null) : EntryView.of(entry));
        };
    }

    private static ServerSentEvent<Object> event(String name, @Nullable Cursor next, Object data) {
        ServerSentEvent.Builder<Object> event =
                ServerSentEvent.builder().event(name).data(data);
        return (next == null ? event : event.id(next.toString())).build();
    }

    @PutMapping(PATHS)
    @Operation(
            summary = "Set an entry",
            description =
                    "The body is the value, any bytes up to 4 MiB. `If-Match: \"<rev>\"` sets it only at that rev,"
                            + " `If-None-Match: *` only where there is none. A request that is repeated with the same"
                            + " Idempotency-Key happens once.")
    @ApiResponse(responseCode = "200", description = "Done; the ETag is the new rev")
    @ApiResponse(responseCode = "409", description = "The entry is not as expected; `rev` says what it is")
    @ApiResponse(responseCode = "413", description = "The value is too large")
    Mono<ResponseEntity<Object>> set(
            @Parameter(hidden = true) ServerHttpRequest request,
            @RequestBody(required = false) Mono<byte[]> body,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
        String path = path(request);
        TransactionId transaction = transaction(idempotencyKey);
        return body.defaultIfEmpty(new byte[0])
                .flatMap(value -> {
                    if (ifMatch != null && ifNoneMatch != null) {
                        throw invalid("If-Match and If-None-Match exclude each other.");
                    }
                    if (ifNoneMatch != null) {
                        if (!ifNoneMatch.strip().equals("*")) {
                            throw invalid("If-None-Match of a PUT can only be *.");
                        }
                        return entries.add(path, value, transaction);
                    }
                    return ifMatch == null
                            ? entries.set(path, value, transaction)
                            : entries.setAtRev(path, value, rev(ifMatch), transaction);
                })
                .map(outcome -> answer(path, outcome));
    }

    @DeleteMapping(PATHS)
    @Operation(
            summary = "Delete an entry, or everything below a directory",
            description = "An entry that is not there is no error, unless If-Match asks for a rev.")
    @ApiResponse(responseCode = "200", description = "Done; `deleted` says how many entries there were")
    @ApiResponse(responseCode = "409", description = "The entry is not at the rev of If-Match")
    Mono<ResponseEntity<Object>> delete(
            @Parameter(hidden = true) ServerHttpRequest request,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
        String path = path(request);
        if (path.endsWith("/")) {
            if (ifMatch != null) {
                throw invalid("A directory has no rev: leave out If-Match.");
            }
            return entries.deleteRecursively(path)
                    .map(deleted -> ResponseEntity.ok(Map.of("path", path, "deleted", deleted)));
        }
        return entries.delete(path, ifMatch == null ? null : rev(ifMatch), transaction(idempotencyKey))
                .map(outcome -> switch (outcome) {
                    case WriteOutcome.Written(String rev) ->
                        ResponseEntity.ok().eTag(quoted(rev)).body(Map.of("path", path, "deleted", 1));
                    case WriteOutcome.Conflict conflict
                    when ifMatch == null -> ResponseEntity.ok(Map.of("path", path, "deleted", 0));
                    case WriteOutcome.Conflict conflict -> answer(path, conflict);
                });
    }

    private static ResponseEntity<Object> answer(String path, WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Written(String rev) ->
                ResponseEntity.ok().eTag(quoted(rev)).body(Map.of("path", path, "rev", rev));
            case WriteOutcome.Conflict(String rev) ->
                ResponseEntity.status(HttpStatus.CONFLICT).body(ApiError.conflict(path, rev));
        };
    }

    /** The path as it was meant: taken from the raw URL, for a slash in the middle and at the end to stay. */
    private static String path(ServerHttpRequest request) {
        String raw = request.getPath().pathWithinApplication().value().substring(ROOT.length());
        try {
            return UriUtils.decode(raw, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_PATH, "The path '" + raw + "' has a broken percent code.");
        }
    }

    private static TransactionId transaction(@Nullable String idempotencyKey) {
        return idempotencyKey == null ? TransactionId.random() : TransactionId.of(idempotencyKey);
    }

    private static String quoted(String rev) {
        return '"' + rev + '"';
    }

    private static String rev(String etag) {
        String text = etag.strip();
        if (text.length() < 3 || !text.startsWith("\"") || !text.endsWith("\"") || text.indexOf(',') >= 0) {
            throw invalid("If-Match is one rev in double quotes, as the ETag gave it.");
        }
        return text.substring(1, text.length() - 1);
    }

    private static MetakvException invalid(String message) {
        return MetakvException.of(MetakvException.Code.INVALID_REQUEST, message);
    }
}
