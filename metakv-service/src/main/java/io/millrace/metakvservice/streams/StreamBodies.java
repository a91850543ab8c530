package io.millrace.metakvservice.streams;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of requests and responses as the OpenAPI document describes them. {@link io.millrace.streams.codec.StreamJson}
 * reads and writes them, because it keeps the bytes of data and metadata; a test compares the two.
 */
final class StreamBodies {

    private StreamBodies() {}

    @Schema(name = "StreamAppend", description = "Events to append, and unfolds that replace those of the stream")
    record Append(List<NewEvent> events, List<NewEvent> unfolds) {}

    @Schema(name = "NewEvent")
    record NewEvent(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
            String type,

            @Schema(description = "any JSON") Object data,
            @Schema(description = "any JSON") Object meta,

            @Schema(description = "the time of the request if absent")
            Instant time,

            String correlationId,
            String causationId) {}

    @Schema(name = "StreamNames", description = "Names of streams in the order of their bytes")
    record Names(
            List<String> streams,

            @Schema(description = "the `after` of the next page; null when this is the last one") @Nullable
            String next) {}

    @Schema(name = "StreamMessage", description = "The data of a server-sent event without a name")
    record Message(
            @Schema(description = "the name of the stream") String stream, Event event) {}

    @Schema(name = "StreamTip", description = "The newest part of a stream")
    record Tip(
            @Schema(description = "how many events the stream has had")
            long version,

            @Schema(description = "index of the first event below; the version if there is none")
            long index,

            @Schema(description = "index of the first event that has not been pruned")
            long base,

            List<Event> events,
            List<Event> unfolds) {}

    @Schema(name = "StreamEvent")
    record Event(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
            long index,

            @Schema(description = "present on an unfold") @Nullable
            Boolean unfold,

            @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
            String type,

            @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
            Instant time,

            @Schema(requiredMode = Schema.RequiredMode.REQUIRED, description = "any JSON")
            Object data,

            @Schema(description = "any JSON") @Nullable Object meta,
            @Nullable String correlationId,
            @Nullable String causationId) {}

    @Schema(name = "StreamAppended")
    record Appended(
            @Schema(description = "the version after the append", requiredMode = Schema.RequiredMode.REQUIRED)
            long version) {}

    @Schema(name = "StreamPruned")
    record Pruned(
            @Schema(description = "how many events were removed")
            long deleted,

            @Schema(description = "how many events wait for the rest of their batch")
            long deferred,

            @Schema(description = "index of the first event that is left")
            long base) {}
}
