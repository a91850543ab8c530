package io.millrace.eventing.http.functions;

import static io.millrace.eventing.http.Requests.get;

import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Mutation;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.runtime.EventStreams;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.streams.codec.StreamJson;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import io.millrace.workerprotocol.Event;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The events of streams that a dry run handles: one that is stored, that of a dead letter, one that is given, or the newest. */
final class DryRunEvents {

    private static final Comparator<Event> ORDER =
            Comparator.comparingLong(Event::seqno).thenComparing(Event::id).thenComparingLong(Event::cas);

    /** The bucket of event streams has one shard, so the seqnos are the order of all events. */
    private static final int ONLY_SHARD = 0;

    private final DocumentStore documents;

    /** @param documents all documents of the suite */
    DryRunEvents(DocumentStore documents) {
        this.documents = documents;
    }

    /** Returns the event that a request names, or one that is given in it. Blocks. */
    Event named(FunctionSpec spec, JsonNode named) throws Exception {
        StreamName stream = stream(spec, named.path("stream").asString(""));
        boolean given = named.has("type");
        if (!given && !named.has("index")) {
            throw invalid("event must have a stream with the index of an event, or with a type and data.");
        }
        JsonNode index = named.path("index");
        if (!index.isMissingNode() && !(index.canConvertToExactIntegral() && index.asLong(-1) >= 0)) {
            throw invalid("index must be a whole number from 0 on.");
        }
        return given
                ? given(spec, stream, index.asLong(0), named)
                : found(
                        get(EventStreams.of(spec, documents).find(stream.toString(), index.asLong(0))),
                        stream.toString(),
                        index.asLong(0));
    }

    /** Returns the event of a dead letter. Blocks. */
    Event of(FunctionSpec spec, DeadLetter letter) throws Exception {
        String stream = letter.change().id();
        long index = letter.change().cas();
        return found(get(EventStreams.of(spec, documents).find(stream, index)), stream, index);
    }

    private static Event found(Optional<Event> event, String stream, long index) {
        return event.orElseThrow(
                () -> invalid("The stream %s has no event %d, or it was pruned; give one with type and data."
                        .formatted(stream, index)));
    }

    private static StreamName stream(FunctionSpec spec, String name) {
        String category = spec.source().category();
        if (!EventStreams.inCategory(name, category)) {
            throw invalid("The function handles events of the category %s; name a stream such as %s-1 with event."
                    .formatted(category, category));
        }
        return StreamName.parse(name);
    }

    private Event given(FunctionSpec spec, StreamName stream, long index, JsonNode named) {
        ObjectNode event = named.deepCopy().asObject();
        event.remove(List.of("stream", "index"));
        ObjectNode append = JsonNodeFactory.instance.objectNode();
        append.putArray("events").add(event);
        try {
            var read = StreamJson.append(
                    append.toString().getBytes(StandardCharsets.UTF_8),
                    InstantSource.system().instant());
            return EventStreams.of(spec, documents)
                    .event(
                            stream,
                            new TimelineEvent(index, 1, false, read.events().getFirst()));
        } catch (StreamsException malformed) {
            throw invalid("The event cannot be read: " + malformed.getMessage());
        }
    }

    /** Returns the newest events of the category, oldest first. Blocks. */
    List<Event> newest(FunctionSpec spec, int most) throws Exception {
        DocumentStore source = EventStreams.documents(documents);
        DryRunDocuments.source(spec, source);
        EventStreams streams = EventStreams.of(spec, documents);
        List<Event> found = new ArrayList<>();
        for (Document changed : newestStreams(spec, source, most)) {
            // the streams come by their latest changes: the events of a later one cannot be newer
            if (found.size() >= most
                    && changed.seqno() < found.get(found.size() - most).seqno()) {
                break;
            }
            StreamName stream = StreamName.parse(changed.key().id());
            for (TimelineEvent event : get(streams.newest(stream, most))) {
                found.add(streams.event(stream, event));
            }
            found.sort(ORDER);
        }
        List<Event> newest = found.subList(Math.max(0, found.size() - most), found.size());
        return DryRunDocuments.fitting(newest, event -> event.body().length);
    }

    private static List<Document> newestStreams(FunctionSpec spec, DocumentStore source, int most) throws Exception {
        List<Document> found = new ArrayList<>();
        long from = ChangePage.Request.END;
        String bucket = spec.source().keyspace().bucket();
        for (int page = 0; page < DryRunDocuments.MAX_PAGES && found.size() < most; page++) {
            ChangePage read = get(source.page(bucket, ONLY_SHARD, new ChangePage.Request(from, true, most, false)));
            read.mutations().stream()
                    .map(Mutation::document)
                    .filter(document -> EventStreams.inSource(document, spec))
                    .forEach(found::add);
            if (!read.more()) {
                break;
            }
            from = read.position();
        }
        return found;
    }

    private static FunctionsException invalid(String why) {
        return FunctionsException.of(ErrorCode.ERR_INVALID_REQUEST, why);
    }
}
