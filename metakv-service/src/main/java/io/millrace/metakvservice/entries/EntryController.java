package io.millrace.metakvservice.entries;

import io.millrace.documents.TransactionId;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvException;
import io.millrace.metakv.MetakvLimits;
import io.millrace.metakv.MetakvPaths;
import io.millrace.metakvservice.entries.Entries.Author;
import io.millrace.metakvservice.http.ErrorTable;
import io.millrace.metakvservice.http.Heartbeats;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Configuration entries over HTTP. */
@RestController
@Tag(name = "Entries")
final class EntryController {

    private static final String ROOT = "/_metakv";
    private static final int MAX_NAME_CHARS = 256;
    private static final String PATHS = ROOT + "/{*path}";

    /** An entry in a list or a watch; the value is in base64, and null after a deletion. */
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
            operationId = "getEntry",
            summary = "Get an entry, or list a directory",
            description =
                    "The response for an entry is its bytes, with the rev as ETag. The response for a directory is a"
                            + " JSON array of the entries below it at any depth, with values in base64. ?history returns"
                            + " changes of a path, and Accept: text/event-stream watches a directory.")
    @ApiResponse(responseCode = "200", description = "The bytes of the entry, or the list")
    @ApiResponse(responseCode = "304", description = "The entry, or the directory, still has the ETag of If-None-Match")
    @ApiResponse(responseCode = "404", description = "There is no entry at this path")
    Mono<ResponseEntity<Object>> read(
            @Parameter(hidden = true) ServerHttpRequest request,
            @RequestHeader(name = "If-None-Match", required = false) @Nullable String known) {
        String path = path(request);
        if (path.endsWith("/")) {
            return list(path, known);
        }
        return entries.get(path)
                .map(entry -> {
                    boolean same = known != null
                            && (known.strip().equals("*") || anyOf(known).anyMatch(entry.rev()::equals));
                    return same
                            ? notModified(quoted(entry.rev()))
                            : ResponseEntity.ok()
                                    .eTag(quoted(entry.rev()))
                                    .contentType(MediaType.APPLICATION_OCTET_STREAM)
                                    .body((Object) entry.value());
                })
                .switchIfEmpty(Mono.error(() -> ErrorTable.notFound("There is no entry at '" + path + "'.")));
    }

    private Mono<ResponseEntity<Object>> list(String directory, @Nullable String known) {
        // the stamp is taken first: at worst the response is newer than its ETag and is sent again
        return entries.stamp(directory).flatMap(stamp -> {
            if (known != null && anyOf(known).anyMatch(stamp::equals)) {
                return Mono.just(notModified(quoted(stamp)));
            }
            return entries.list(directory)
                    .map(found -> ResponseEntity.ok()
                            .eTag(quoted(stamp))
                            .contentType(MediaType.APPLICATION_JSON)
                            .body(found.stream().map(EntryView::of).toList()));
        });
    }

    private static ResponseEntity<Object> notModified(String etag) {
        return ResponseEntity.status(HttpStatus.NOT_MODIFIED).eTag(etag).build();
    }

    /** The tags of an If-None-Match (RFC 9110, 13.1.2), without quotes; weak ones count as well. */
    private static Stream<String> anyOf(String header) {
        return Stream.of(header.split(","))
                .map(tag -> tag.strip().replaceFirst("^W/", ""))
                .filter(tag -> tag.length() > 2 && tag.startsWith("\"") && tag.endsWith("\""))
                .map(tag -> tag.substring(1, tag.length() - 1));
    }

    /**
     * A change of a path.
     *
     * @param value in base64; null if the path was deleted or the value is sensitive
     */
    record ChangeView(
            long version,
            String rev,
            boolean deleted,
            boolean sensitive,
            byte @Nullable [] value,
            Instant time,
            @Nullable String changedBy) {
        static ChangeView of(EntryChange change) {
            boolean sensitive = change.sensitive() || MetakvPaths.hidden(change.path());
            return new ChangeView(
                    change.version(),
                    change.rev(),
                    change.value() == null,
                    sensitive,
                    sensitive ? null : change.value(),
                    change.time(),
                    change.changedBy());
        }
    }

    @GetMapping(value = PATHS, params = "history")
    @Operation(
            operationId = "getHistory",
            summary = "Get the history of a path",
            description =
                    "`?history` returns the changes of a path, newest first, with author and time. `max` bounds their"
                            + " number; `below` selects changes below a version. The newest 1,000 changes of a path are"
                            + " kept, fewer if values are large.")
    @ApiResponse(responseCode = "200", description = "An array of changes, empty for a path that never existed")
    Mono<List<ChangeView>> history(
            @Parameter(hidden = true) ServerHttpRequest request,
            @RequestParam(name = "max", defaultValue = "100") int max,
            @RequestParam(name = "below", required = false) @Nullable Long below) {
        if (max < 1 || max > MetakvLimits.MAX_HISTORY_EVENTS || (below != null && below < 1)) {
            throw invalid("max must be 1 to " + MetakvLimits.MAX_HISTORY_EVENTS + ", and below at least 1.");
        }
        return entries.history(path(request), below == null ? PageRequest.END : below, max)
                .map(changes -> changes.stream().map(ChangeView::of).toList());
    }

    @GetMapping(value = PATHS, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Operation(
            operationId = "watch",
            summary = "Watch a directory",
            description = "Server-sent events: `reset`, one `entry` for each entry, `ready`, then an `entry` for every"
                    + " change; a deletion has a null value. Last-Event-ID resumes the watch at any instance, also after a"
                    + " restart. If changes since then are no longer kept, `reset` and the full list are sent again.")
    Mono<ResponseEntity<Flux<ServerSentEvent<Object>>>> watch(
            @Parameter(hidden = true) ServerHttpRequest request,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId) {
        Cursor resumed = lastEventId == null ? null : Cursor.parse(lastEventId).orElse(null);
        return entries.watch(path(request), resumed)
                .map(notices -> ResponseEntity.ok()
                        .contentType(MediaType.TEXT_EVENT_STREAM)
                        .header("Cache-Control", "no-store")
                        .body(Heartbeats.among(notices.map(EntryController::event))));
    }

    private static ServerSentEvent<Object> event(WatchEvent notice) {
        return switch (notice) {
            case WatchEvent.Reset() -> event("reset", null, Map.of());
            case WatchEvent.Ready(Cursor next) -> event("ready", next, Map.of());
            case WatchEvent.Entry(String path, MetakvEntry entry, Cursor next) ->
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
            operationId = "setEntry",
            summary = "Set an entry",
            description =
                    "The body is the value, any bytes up to 4 MiB. `If-Match: \"<rev>\"` sets the entry only if it has"
                            + " that rev, `If-None-Match: *` only if it does not exist. Requests with the same"
                            + " Idempotency-Key take effect once. `X-Changed-By` is the author in the history;"
                            + " `sensitive=true` leaves the value out of the history.")
    @ApiResponse(responseCode = "200", description = "The entry is set; the ETag is the new rev")
    @ApiResponse(responseCode = "409", description = "The precondition does not hold; `rev` is the rev of the entry")
    @ApiResponse(responseCode = "413", description = "The value is too large")
    Mono<ResponseEntity<Object>> set(
            @Parameter(hidden = true) ServerHttpRequest request,
            @RequestBody(required = false) Mono<byte[]> body,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch,
            @RequestParam(name = "sensitive", defaultValue = "false") boolean sensitive,
            @RequestHeader(name = "X-Changed-By", required = false) @Nullable String changedBy,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
        String path = path(request);
        Author author = author(changedBy, sensitive, idempotencyKey);
        return body.defaultIfEmpty(new byte[0])
                .flatMap(value -> {
                    if (ifMatch != null && ifNoneMatch != null) {
                        throw invalid("A PUT takes either If-Match or If-None-Match, not both.");
                    }
                    if (ifNoneMatch != null) {
                        if (!ifNoneMatch.strip().equals("*")) {
                            throw invalid("If-None-Match of a PUT must be *.");
                        }
                        return entries.add(path, value, author);
                    }
                    return ifMatch == null
                            ? entries.set(path, value, author)
                            : entries.setAtRev(path, value, rev(ifMatch), author);
                })
                .map(outcome -> answer(path, outcome));
    }

    @DeleteMapping(PATHS)
    @Operation(
            operationId = "deleteEntry",
            summary = "Delete an entry, or everything below a directory",
            description = "Succeeds if the entry does not exist, unless If-Match requires a rev.")
    @ApiResponse(responseCode = "200", description = "`deleted` is the number of deleted entries")
    @ApiResponse(responseCode = "409", description = "The entry does not have the rev of If-Match")
    Mono<ResponseEntity<Object>> delete(
            @Parameter(hidden = true) ServerHttpRequest request,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            @RequestHeader(name = "X-Changed-By", required = false) @Nullable String changedBy,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
        String path = path(request);
        if (path.endsWith("/")) {
            if (ifMatch != null) {
                throw invalid("A directory does not have a rev. Send the request without If-Match.");
            }
            return entries.deleteRecursively(path, checkedName(changedBy))
                    .map(deleted -> ResponseEntity.ok(Map.of("path", path, "deleted", deleted)));
        }
        Author author = author(changedBy, false, idempotencyKey);
        return (ifMatch == null ? entries.delete(path, author) : entries.deleteAtRev(path, rev(ifMatch), author))
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
                ErrorTable.entryConflict(path, rev).toResponseEntity();
        };
    }

    /**
     * Returns the path from the raw URL, which keeps double and trailing slashes. An encoded slash is refused: who may
     * read a directory is decided by segments, for which it is a part of a name.
     */
    private static String path(ServerHttpRequest request) {
        PathContainer whole = request.getPath().pathWithinApplication();
        String raw = whole.value().substring(ROOT.length());
        if (whole.elements().stream().anyMatch(EntryController::hidesSlash)) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_PATH,
                    "The path '" + raw + "' has an encoded slash. Write it as a slash.");
        }
        try {
            return UriUtils.decode(raw, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw MetakvException.of(
                    MetakvException.Code.INVALID_PATH, "The path '" + raw + "' has an invalid percent-encoding.");
        }
    }

    private static boolean hidesSlash(PathContainer.Element element) {
        return element instanceof PathContainer.PathSegment segment
                && segment.valueToMatch().indexOf('/') >= 0;
    }

    private static Author author(@Nullable String changedBy, boolean sensitive, @Nullable String idempotencyKey) {
        return new Author(
                checkedName(changedBy),
                sensitive,
                idempotencyKey == null ? TransactionId.random() : TransactionId.of(idempotencyKey));
    }

    private static @Nullable String checkedName(@Nullable String changedBy) {
        if (changedBy != null && changedBy.length() > MAX_NAME_CHARS) {
            throw invalid("X-Changed-By must have at most " + MAX_NAME_CHARS + " characters.");
        }
        return changedBy;
    }

    private static String quoted(String rev) {
        return '"' + rev + '"';
    }

    private static String rev(String etag) {
        String text = etag.strip();
        if (text.length() < 3 || !text.startsWith("\"") || !text.endsWith("\"") || text.indexOf(',') >= 0) {
            throw invalid("If-Match must be one rev in double quotes, as in the ETag of the entry.");
        }
        return text.substring(1, text.length() - 1);
    }

    private static MetakvException invalid(String message) {
        return MetakvException.of(MetakvException.Code.INVALID_REQUEST, message);
    }
}
