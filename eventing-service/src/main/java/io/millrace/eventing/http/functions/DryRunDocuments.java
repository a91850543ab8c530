package io.millrace.eventing.http.functions;

import static io.millrace.eventing.http.Requests.get;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.runtime.Events;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.workerprotocol.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a dry run handles: the state of one document, of that of a dead letter, one that is given, or the newest changes; of a
 * function on event streams the events that {@link DryRunEvents} finds.
 */
final class DryRunDocuments {

    /** The most changes of one dry run. */
    static final int MAX_CHANGES = 1_000;

    /** A dry run takes no further change when its documents have so many bytes. */
    private static final int FULL_BYTES = 8 << 20;

    /** How many pages of a feed are read at most, when most changes are not for the function. */
    static final int MAX_PAGES = 10;

    private final DocumentStore documents;
    private final DeadLetterStore letters;
    private final DryRunEvents events;

    DryRunDocuments(DocumentStore documents, DeadLetterStore letters) {
        this.documents = documents;
        this.letters = letters;
        this.events = new DryRunEvents(documents);
    }

    /** Returns what a request names, oldest change first. Blocks. */
    List<Event> of(FunctionSpec spec, JsonNode request) throws Exception {
        requireNoTopic(spec);
        if (request.has("last")) {
            int last = request.path("last").asInt(0);
            if (last < 1 || last > MAX_CHANGES) {
                throw FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST, "last must be a number from 1 to %d.".formatted(MAX_CHANGES));
            }
            return spec.source().ofEvents()
                    ? events.newest(spec, last)
                    : newest(spec, last).stream().map(Events::of).toList();
        }
        if (spec.source().ofEvents()) {
            return List.of(
                    request.has("letter")
                            ? events.of(
                                    spec, letter(spec, request.path("letter").asString("")))
                            : events.named(spec, request.path("event")));
        }
        return documents(spec, request).stream().map(Events::of).toList();
    }

    private static void requireNoTopic(FunctionSpec spec) {
        if (spec.source().ofMessages()) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "The function handles the messages of the topic %s; dry runs and the debugger take documents and events only. Run its code with './millrace fn run DIR --step', which takes a message."
                            .formatted(spec.source().topic()));
        }
    }

    private List<Document> documents(FunctionSpec spec, JsonNode request) throws Exception {
        if (request.has("event")) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "The function handles changes of documents, not events; name one with document or change.");
        }
        if (request.has("change")) {
            return List.of(given(spec, request.path("change")));
        }
        DocumentKey key = request.has("letter")
                ? key(spec, letter(spec, request.path("letter").asString("")))
                : key(spec, request.path("document"));
        Optional<Document> found = get(documents.getWithTombstone(key));
        return List.of(found.orElseThrow(() -> FunctionsException.of(
                ErrorCode.ERR_INVALID_REQUEST,
                "The document %s does not exist; give one with change.".formatted(key))));
    }

    private DeadLetter letter(FunctionSpec spec, String name) throws Exception {
        return get(letters.find(spec.checkpoints(), name))
                .orElseThrow(() -> FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST,
                        "The function has no dead letter '%s' of a change.".formatted(name)))
                .letter();
    }

    private static DocumentKey key(FunctionSpec spec, DeadLetter letter) {
        return new DocumentKey(
                new Keyspace(
                        spec.source().keyspace().bucket(),
                        letter.change().scope(),
                        letter.change().collection()),
                letter.change().id());
    }

    private static DocumentKey key(FunctionSpec spec, JsonNode named) {
        String id = named.path("id").asString("");
        if (id.isEmpty()) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "The request must have one of document and change, each with an id, letter, and last.");
        }
        Keyspace source = spec.source().keyspace();
        Keyspace keyspace = new Keyspace(
                source.bucket(),
                named.path("scope").asString(one(source.scope())),
                named.path("collection").asString(one(source.collection())));
        if (!covers(source, keyspace)) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "The function gets no changes of %s; its source is %s.".formatted(keyspace, source));
        }
        return new DocumentKey(keyspace, id);
    }

    private static String one(String name) {
        return name.equals(FunctionSpec.WILDCARD) ? Keyspace.DEFAULT : name;
    }

    private static Document given(FunctionSpec spec, JsonNode change) {
        boolean deleted = change.path("deleted").asBoolean(false);
        if (deleted == change.has("document")) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST, "change must have either a document or \"deleted\": true.");
        }
        byte[] body = deleted ? new byte[0] : change.path("document").toString().getBytes(StandardCharsets.UTF_8);
        return new Document(
                key(spec, change),
                1,
                deleted ? Document.State.DELETED : Document.State.LIVE,
                body,
                Datatype.JSON,
                0,
                null,
                null,
                null,
                null);
    }

    /** Returns the source bucket of a function. Blocks. */
    static BucketInfo source(FunctionSpec spec, DocumentStore documents) throws Exception {
        requireNoTopic(spec);
        String bucket = spec.source().keyspace().bucket();
        return get(documents.catalog().find(bucket))
                .orElseThrow(() -> FunctionsException.of(
                        ErrorCode.ERR_INVALID_REQUEST, "The source bucket %s does not exist.".formatted(bucket)));
    }

    private List<Document> newest(FunctionSpec spec, int most) throws Exception {
        BucketInfo source = source(spec, documents);
        List<Document> found = new ArrayList<>();
        for (int shard = 0; shard < source.shards(); shard++) {
            newest(spec, source.name(), shard, most, found);
        }
        // a CAS is a time
        found.sort(Comparator.comparingLong(Document::cas).reversed());
        return fitting(found.subList(0, Math.min(most, found.size())).reversed(), document -> document.body().length);
    }

    /** Returns as many of the last ones as a dry run takes. @param bytes how large one is */
    static <T> List<T> fitting(List<T> all, ToLongFunction<T> bytes) {
        long sum = 0;
        for (int i = all.size() - 1; i >= 0; i--) {
            sum += bytes.applyAsLong(all.get(i));
            if (sum > FULL_BYTES && i < all.size() - 1) {
                return all.subList(i + 1, all.size());
            }
        }
        return all;
    }

    private void newest(FunctionSpec spec, String bucket, int shard, int most, List<Document> found) throws Exception {
        long from = ChangePage.Request.END;
        int start = found.size();
        for (int page = 0; page < MAX_PAGES && found.size() - start < most; page++) {
            ChangePage read = get(documents.page(bucket, shard, new ChangePage.Request(from, true, most, true)));
            read.mutations().stream()
                    .map(Mutation::document)
                    .filter(document -> handled(spec, document))
                    .forEach(found::add);
            if (!read.more()) {
                return;
            }
            from = read.position();
        }
    }

    /** Returns whether the function gets such a change: it is in the source, and not by the function itself. */
    static boolean handled(FunctionSpec spec, Document document) {
        return covers(spec.source().keyspace(), document.key().keyspace()) && !own(spec, document.origin());
    }

    private static boolean own(FunctionSpec spec, io.millrace.documents.@Nullable Origin origin) {
        return origin != null && origin.instance().equals(spec.instance());
    }

    private static boolean covers(Keyspace source, Keyspace keyspace) {
        return covers(source.scope(), keyspace.scope()) && covers(source.collection(), keyspace.collection());
    }

    private static boolean covers(String bound, String name) {
        return bound.equals(FunctionSpec.WILDCARD) || bound.equals(name);
    }
}
