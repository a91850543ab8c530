package io.millrace.streams.follow;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far consumer groups have come, as documents of a keyspace: {@code {"position": "17-42"}} under {@code
 * subscription:<group>}. A group belongs to the subscription that claimed it last; saves of an earlier one are refused.
 * Thread-safe; no call blocks. Futures may fail with {@link io.millrace.documents.DocumentsException}.
 */
public final class GroupCheckpoints {

    private static final String PREFIX = "subscription:";
    private static final Pattern POSITION = Pattern.compile("\"position\"\\s*:\\s*\"([^\"]*)\"");

    private final DocumentStore documents;
    private final Keyspace keyspace;

    /** @param keyspace not that of the streams: a checkpoint there would wake each reader of them */
    public GroupCheckpoints(DocumentStore documents, Keyspace keyspace) {
        this.documents = documents;
        this.keyspace = keyspace;
    }

    Keyspace keyspace() {
        return keyspace;
    }

    /** Returns how far a group has come; empty for one that has never saved anything. */
    public CompletableFuture<Optional<Position>> read(String group) {
        return documents.get(key(group)).thenApply(found -> found.map(document -> position(group, document)));
    }

    /**
     * Moves a group, to {@link Position#START} to have everything handled again. A subscription of the group that runs ends as
     * if another one had taken the group over.
     */
    public CompletableFuture<Void> move(String group, Position position) {
        return documents.write(Write.upsert(key(group), json(position))).thenApply(done -> null);
    }

    /** A write that is the same when it is repeated after a lost answer. */
    record Save(Write write) {}

    /** Whether a write was carried out, and the version of the checkpoint then. */
    record Saved(boolean ours, long cas) {}

    /** What was found of a group, and its version; 0 when there was nothing. */
    record Found(Optional<Position> position, long cas) {}

    CompletableFuture<Found> find(String group) {
        return documents
                .get(key(group))
                .thenApply(found -> found.map(
                                document -> new Found(Optional.of(position(group, document)), document.cas()))
                        .orElse(new Found(Optional.empty(), 0)));
    }

    /** @param cas the version that the checkpoint must have, 0 for none */
    Save save(String group, Position position, long cas) {
        DocumentKey key = key(group);
        return new Save(
                cas == 0
                        ? Write.insert(key, json(position))
                        : Write.replace(key, json(position)).withCas(cas));
    }

    CompletableFuture<Saved> carryOut(Save save) {
        return documents
                .write(save.write())
                .thenApply(result -> result instanceof WriteResult.Written written
                        ? new Saved(true, written.cas())
                        : new Saved(false, 0));
    }

    private DocumentKey key(String group) {
        return new DocumentKey(keyspace, PREFIX + group);
    }

    private static byte[] json(Position position) {
        return "{\"position\":\"%s\"}".formatted(position).getBytes(StandardCharsets.UTF_8);
    }

    private static Position position(String group, Document document) {
        Matcher found = POSITION.matcher(new String(document.body(), StandardCharsets.UTF_8));
        if (!found.find()) {
            throw new IllegalStateException(
                    "The checkpoint of group '%s' has no position. Delete the document '%s' of %s to begin again."
                            .formatted(group, PREFIX + group, document.key().keyspace()));
        }
        return Position.parse(found.group(1));
    }
}
