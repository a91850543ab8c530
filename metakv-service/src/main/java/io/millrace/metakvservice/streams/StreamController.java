package io.millrace.metakvservice.streams;

import io.millrace.documents.TransactionId;
import io.millrace.metakv.MetakvException;
import io.millrace.metakvservice.http.ErrorTable;
import io.millrace.problemdetails.Problem;
import io.millrace.streams.StreamEvents.AppendResult;
import io.millrace.streams.codec.StreamJson;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore.PruneResult;
import io.millrace.streams.store.StreamStore.Tip;
import io.millrace.streams.store.StreamStore.TipResult;
import io.millrace.streams.store.TimelineEvent;
import io.millrace.streams.store.Token;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/** Event streams over HTTP, for programs that cannot use the library. */
@RestController
@RequestMapping("/api/v1/streams/{stream}")
@Tag(name = "Streams")
final class StreamController {

    private static final String JSON = MediaType.APPLICATION_JSON_VALUE;
    private static final int MAX_EVENTS = 1_000;

    private final StreamBucket bucket;
    private final InstantSource clock = InstantSource.system();

    StreamController(StreamBucket bucket) {
        this.bucket = bucket;
    }

    @GetMapping
    @Operation(
            operationId = "getStream",
            summary = "Read the tip of a stream",
            description = "The version, the newest events and the unfolds. The ETag changes with every write.")
    @ApiResponse(
            responseCode = "200",
            description = "The tip",
            content = @Content(mediaType = JSON, schema = @Schema(implementation = StreamBodies.Tip.class)))
    @ApiResponse(responseCode = "304", description = "The stream still has the ETag of If-None-Match")
    @ApiResponse(responseCode = "404", description = "The stream does not exist")
    Mono<ResponseEntity<String>> tip(
            @PathVariable("stream") String stream,
            @RequestHeader(name = "If-None-Match", required = false) @Nullable String known) {
        StreamName name = name(stream);
        return bucket.call(() -> bucket.store().tip(name, known == null ? 0 : etag(known)))
                .map(result -> switch (result) {
                    case TipResult.NotModified same ->
                        ResponseEntity.status(HttpStatus.NOT_MODIFIED)
                                .eTag(String.valueOf(known))
                                .<String>build();
                    case TipResult.NotFound absent ->
                        throw ErrorTable.notFound("The stream '" + stream + "' does not exist.");
                    case TipResult.Found(Tip tip) -> json(tip.etag(), body(tip));
                });
    }

    private static String body(Tip tip) {
        return "{\"version\":%d,\"index\":%d,\"base\":%d,\"events\":%s,\"unfolds\":%s}"
                .formatted(
                        tip.version(),
                        tip.index(),
                        tip.base(),
                        StreamJson.write(tip.events()),
                        StreamJson.write(tip.unfolds()));
    }

    private static ResponseEntity<String> json(long etag, String body) {
        return ResponseEntity.ok()
                .eTag("\"" + etag + '"')
                .contentType(MediaType.APPLICATION_JSON)
                .body(body);
    }

    @GetMapping("/events")
    @Operation(
            summary = "Read events",
            description = "Up to `max` events from an index, or with `backward=true` down from it, newest first.")
    @ApiResponse(
            responseCode = "200",
            description = "The events",
            content =
                    @Content(
                            mediaType = JSON,
                            array = @ArraySchema(schema = @Schema(implementation = StreamBodies.Event.class))))
    @ApiResponse(responseCode = "410", description = "Some of the requested events have been pruned")
    Mono<ResponseEntity<String>> events(
            @PathVariable("stream") String stream,
            @RequestParam(name = "from", required = false) @Nullable Long from,
            @RequestParam(name = "max", defaultValue = "100") int max,
            @RequestParam(name = "backward", defaultValue = "false") boolean backward) {
        StreamName name = name(stream);
        if (max < 1 || max > MAX_EVENTS || (from != null && from < 0)) {
            throw invalid("from must be at least 0, and max 1 to " + MAX_EVENTS + '.');
        }
        return bucket.call(() -> backward ? backward(name, from, max) : forward(name, from, max))
                .map(found -> ResponseEntity.ok()
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(StreamJson.write(found)));
    }

    private CompletableFuture<List<TimelineEvent>> forward(StreamName name, @Nullable Long from, int max) {
        return bucket.events().get(name, from == null ? 0 : from, max);
    }

    private CompletableFuture<List<TimelineEvent>> backward(StreamName name, @Nullable Long from, int max) {
        if (from != null) {
            return bucket.events().getBackwards(name, from, max);
        }
        AtomicInteger left = new AtomicInteger(max);
        return bucket.events().getBackwardsWhile(name, Long.MAX_VALUE, event -> left.getAndDecrement() > 0);
    }

    @PostMapping("/events")
    @Operation(
            summary = "Append events",
            description = "Unfolds replace those of"
                    + " the stream. `version` is the version that the stream must have (0 for a new one),"
                    + " `If-Match` its ETag; without either the events are appended unconditionally. Requests with"
                    + " the same Idempotency-Key take effect once.")
    @ApiResponse(
            responseCode = "200",
            description = "The new version, with the new ETag",
            content = @Content(mediaType = JSON, schema = @Schema(implementation = StreamBodies.Appended.class)))
    @ApiResponse(
            responseCode = "409",
            description =
                    "The stream is at another version. The problem has its `version` and, unless `known` is false,"
                            + " the `events` that the caller missed")
    Mono<ResponseEntity<String>> append(
            @PathVariable("stream") String stream,
            @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            content =
                                    @Content(
                                            mediaType = JSON,
                                            schema = @Schema(implementation = StreamBodies.Append.class)))
                    @RequestBody
                    byte[] body,
            @RequestParam(name = "version", required = false) @Nullable Long version,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
        StreamName name = name(stream);
        if ((version != null && ifMatch != null) || (version != null && version < 0)) {
            throw invalid("version must be at least 0, and a request takes either version or If-Match.");
        }
        Expected expected = version != null
                ? Expected.version(version)
                : ifMatch != null ? Expected.etag(etag(ifMatch)) : Expected.any();
        TransactionId transaction =
                idempotencyKey == null ? TransactionId.random() : TransactionId.of(stream + ' ' + idempotencyKey);
        StreamJson.Append sent = StreamJson.append(body, clock.instant());
        return bucket.call(() -> bucket.events().append(name, expected, sent.events(), sent.unfolds(), transaction))
                .map(StreamController::answer);
    }

    private static ResponseEntity<String> answer(AppendResult result) {
        return switch (result) {
            case AppendResult.Appended(Token token) ->
                json(token.etag(), "{\"version\":%d}".formatted(token.version()));
            case AppendResult.Conflict(Token token, List<TimelineEvent> events) ->
                conflict(token, true, StreamJson.write(events));
            case AppendResult.ConflictUnknown(Token token) -> conflict(token, false, "[]");
        };
    }

    private static ResponseEntity<String> conflict(Token token, boolean known, String events) {
        Problem problem = ErrorTable.conflict("The stream is at version %d.".formatted(token.version()))
                .problem()
                .withAction("Apply the missed events and repeat the request with the current version.")
                .with("version", token.version())
                .with("known", known)
                .with("events", new RawValue(events));
        return ResponseEntity.status(HttpStatus.CONFLICT)
                .eTag("\"" + token.etag() + '"')
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(JsonMapper.shared().writeValueAsString(problem));
    }

    @DeleteMapping("/events")
    @Operation(
            summary = "Prune a stream",
            description = "Removes events up to an index, in whole batches; version and unfolds are kept.")
    @ApiResponse(
            responseCode = "200",
            description = "The numbers of removed events and of events that wait for the rest of their batch",
            content = @Content(mediaType = JSON, schema = @Schema(implementation = StreamBodies.Pruned.class)))
    Mono<StreamBodies.Pruned> prune(@PathVariable("stream") String stream, @RequestParam(name = "until") long until) {
        StreamName name = name(stream);
        return bucket.call(() -> bucket.events().prune(name, until)).map(StreamController::pruned);
    }

    private static StreamBodies.Pruned pruned(PruneResult result) {
        return new StreamBodies.Pruned(result.deleted(), result.deferred(), result.lowMark());
    }

    private static StreamName name(String stream) {
        try {
            return StreamName.parse(stream);
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    private static long etag(String quoted) {
        String text = quoted.strip();
        try {
            return Long.parseLong(text.substring(1, text.length() - 1));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw invalid("An ETag must be a number in double quotes, as in a response.");
        }
    }

    private static MetakvException invalid(String message) {
        return MetakvException.of(MetakvException.Code.INVALID_REQUEST, message);
    }
}
