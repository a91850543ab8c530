package io.millrace.metakvservice.streams;

import io.millrace.documents.IdRange;
import io.millrace.httpdoor.SentPieces;
import io.millrace.metakv.MetakvException;
import io.millrace.metakvservice.http.ErrorTable;
import io.millrace.metakvservice.http.Heartbeats;
import io.millrace.streams.codec.StreamJson;
import io.millrace.streams.follow.EventFeed;
import io.millrace.streams.follow.EventFeed.Step;
import io.millrace.streams.follow.Position;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.TimelineEvent;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** All streams, or those of a category: their names, and their events as they are appended. */
@RestController
@RequestMapping("/api/v1/streams")
@Tag(name = "Streams")
final class StreamFeedController {

    private static final int MAX_NAMES = 1_000;
    private static final char AFTER_HYPHEN = '.';

    private final StreamBucket bucket;

    StreamFeedController(StreamBucket bucket) {
        this.bucket = bucket;
    }

    @GetMapping
    @Operation(
            operationId = "listStreams",
            summary = "List streams, or follow their events",
            description = "Names in the order of their bytes, up to `max`; `next` is the `after` of the next page. With"
                    + " Accept: text/event-stream the events of all these streams, first those that there are, then new ones"
                    + " as they are appended.")
    @ApiResponse(responseCode = "200", description = "The names")
    Mono<StreamBodies.Names> list(
            @RequestParam(name = "category", required = false) @Nullable String category,
            @RequestParam(name = "after", required = false) @Nullable String after,
            @RequestParam(name = "max", defaultValue = "100") int max) {
        if (max < 1 || max > MAX_NAMES) {
            throw invalid("max must be 1 to " + MAX_NAMES + '.');
        }
        IdRange range = category == null
                ? IdRange.ALL
                : new IdRange(checked(category) + '-', false, category + AFTER_HYPHEN, false);
        if (after != null && !range.contains(after)) {
            throw invalid("after must be the name of a stream of the category, as in `next` of the last page.");
        }
        return bucket.names(after == null ? range : range.after(after), max + 1)
                .map(names -> names.size() > max
                        ? new StreamBodies.Names(names.subList(0, max), names.get(max - 1))
                        : new StreamBodies.Names(names, null));
    }

    @GetMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Operation(
            operationId = "followStreams",
            summary = "Follow streams",
            description = "Server-sent events: a message `{\"stream\", \"event\"}` for each event, those of a stream in"
                    + " order; `caught-up` when all events there are have been sent. `since`, or the header Last-Event-ID, is"
                    + " an id of an earlier answer: nothing is missed after it. `stream` names one stream, `category` those of a"
                    + " category; without either, all are followed.")
    @ApiResponse(
            responseCode = "200",
            description = "The events",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(implementation = StreamBodies.Message.class)))
    @ApiResponse(responseCode = "410", description = "Redis has lost changes that the position counts as read")
    Mono<ResponseEntity<Flux<ServerSentEvent<Object>>>> follow(
            @RequestParam(name = "category", required = false) @Nullable String category,
            @RequestParam(name = "stream", required = false) @Nullable String stream,
            @RequestParam(name = "since", required = false) @Nullable String since,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId,
            @Parameter(hidden = true) ServerHttpResponse response) {
        String begin = lastEventId == null || lastEventId.isEmpty() ? since : lastEventId;
        Position position = begin == null ? Position.START : position(begin);
        Predicate<StreamName> filter = wanted(category, stream);
        return bucket.feed(filter, position)
                .switchIfEmpty(Mono.error(() -> ErrorTable.gone("Redis has lost changes that the position " + position
                        + " counts as read. Read again without a position; events that you know have the same index.")))
                .map(feed -> ResponseEntity.ok()
                        .contentType(MediaType.TEXT_EVENT_STREAM)
                        .header("Cache-Control", "no-store")
                        .body(Heartbeats.among(events(feed, SentPieces.await(response)))));
    }

    private static Predicate<StreamName> wanted(@Nullable String category, @Nullable String stream) {
        if (stream == null) {
            String checked = category == null ? null : checked(category);
            return name -> checked == null || name.category().equals(checked);
        }
        if (category != null) {
            throw invalid("A request follows one stream or a category: send either stream or category.");
        }
        try {
            return StreamName.parse(stream)::equals;
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    /** Reads a step when all messages of the last one were sent: a step may have many megabytes. */
    static Flux<ServerSentEvent<Object>> events(EventFeed feed, Mono<Void> sent) {
        return Flux.using(
                () -> feed,
                open -> Flux.<Mono<Step>>generate(sink -> sink.next(sent.then(Mono.fromFuture(open::next))))
                        .concatMap(step -> step.flatMapIterable(StreamFeedController::messages), 0),
                EventFeed::close);
    }

    /** Only the last message of a step has its id: one who begins again in between gets the whole step again. */
    private static List<ServerSentEvent<Object>> messages(Step step) {
        String id = step.position().toString();
        return switch (step) {
            case Step.CaughtUp caughtUp ->
                List.of(ServerSentEvent.<Object>builder("{}")
                        .event("caught-up")
                        .id(id)
                        .build());
            case Step.Events(StreamName stream, List<TimelineEvent> events, Position position) -> {
                long last = events.getLast().index();
                yield events.stream()
                        .map(event -> {
                            var message = ServerSentEvent.<Object>builder(message(stream, event));
                            return event.index() == last ? message.id(id).build() : message.build();
                        })
                        .toList();
            }
        };
    }

    private static String message(StreamName stream, TimelineEvent event) {
        String array = StreamJson.write(List.of(event));
        return "{\"stream\":%s,\"event\":%s}"
                .formatted(
                        JsonMapper.shared().writeValueAsString(stream.toString()),
                        array.substring(1, array.length() - 1));
    }

    private static String checked(String category) {
        if (category.isEmpty() || category.indexOf('-') >= 0) {
            throw invalid("A category must not be empty or contain a hyphen: " + category);
        }
        return category;
    }

    private static Position position(String text) {
        try {
            return Position.parse(text);
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    private static MetakvException invalid(String message) {
        return MetakvException.of(MetakvException.Code.INVALID_REQUEST, message);
    }
}
