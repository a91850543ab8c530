package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Changes documents together with their trees: reads, computes the new tree, and writes it with compare-and-set.
 *
 * <p>The body of the winner is the body of the document, which all other APIs see. Bodies of losing revisions, and of
 * tombstones with members, are stored separately, before the tree that refers to them.
 */
final class Writer {

    /**
     * A change on its way.
     *
     * @param written completes with false if another writer came first; the change is then to be made again
     * @param revision what the document has if it is written
     */
    record Attempt(CompletableFuture<Boolean> written, Revision revision) {

        static Attempt notNeeded(Revision known) {
            return new Attempt(CompletableFuture.completedFuture(true), known);
        }
    }

    private final DocumentStore store;
    private final Keyspace keyspace;
    private final int collection;
    private final SideStore side;
    private final Rendering rendering;
    private final CouchDatabase.WriteRule rule;

    Writer(
            DocumentStore store,
            Keyspace keyspace,
            int collection,
            SideStore side,
            Rendering rendering,
            CouchDatabase.WriteRule rule) {
        this.store = store;
        this.keyspace = keyspace;
        this.collection = collection;
        this.side = side;
        this.rendering = rendering;
        this.rule = rule;
    }

    private void check(CouchDocument document, Edit edit) {
        rule.check(
                edit.id(),
                () -> document.winner()
                        .flatMap(leaf -> rendering.render(document, leaf))
                        .map(RawObject::bytes)
                        .orElse(null),
                edit::json);
    }

    CouchDocument read(String id) {
        return document(id, StoreCalls.found(ask(id)).orElse(null));
    }

    /** Returns a document without its body. */
    CouchDocument readMetadata(String id) {
        return document(id, StoreCalls.found(askForMetadata(id)).orElse(null));
    }

    /** Starts to read a document; an empty id has none. */
    CompletableFuture<Optional<Document>> ask(String id) {
        return id.isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : store.getWithTombstone(new DocumentKey(keyspace, id));
    }

    /** Starts to read what is known about a document besides its body; an empty id has none. */
    CompletableFuture<Optional<Document>> askForMetadata(String id) {
        return id.isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : store.getMetadata(new DocumentKey(keyspace, id));
    }

    CouchDocument document(String id, @Nullable Document found) {
        return CouchDocument.of(id, collection, found);
    }

    /**
     * Creates a new revision.
     *
     * @param salt identifies the caller's intent, or is empty; edits with the same salt are carried out once
     */
    Revision edit(Edit edit, String salt) {
        return repeated(edit.id(), document -> edit(document, edit, salt));
    }

    /** Starts to create a new revision of a document as it was read. */
    Attempt edit(CouchDocument document, Edit edit, String salt) {
        check(document, edit);
        Optional<Leaf> parent = parent(document, edit);
        if (parent == null) {
            Revision done = salt.isEmpty() ? null : done(document, edit, salt);
            if (done != null) {
                return Attempt.notNeeded(done);
            }
            throw CouchException.conflict();
        }
        long generation = parent.map(leaf -> leaf.path().start()).orElse(0L) + 1;
        Map<String, Attachment> attachments =
                attachments(edit, generation, parent.map(Leaf::attachments).orElse(Map.of()));
        String hash = edit.newRevision(parent.map(Leaf::revision).orElse(null), attachments, salt);
        List<String> ids = new ArrayList<>(List.of(hash));
        parent.ifPresent(leaf -> ids.addAll(leaf.path().ids()));
        List<String> kept = ids.subList(0, Math.min(ids.size(), CouchLimits.REVS_LIMIT));
        Leaf leaf = new Leaf(new Leaf.Path(generation, List.copyOf(kept)), edit.deleted(), edit.empty(), attachments);
        List<Leaf> leaves = new ArrayList<>(document.tree().leaves());
        parent.ifPresent(leaves::remove);
        leaves.add(leaf);
        return new Attempt(write(document, new RevisionTree(leaves), leaf, edit.body()), leaf.revision());
    }

    private Revision repeated(String id, Function<CouchDocument, Attempt> change) {
        for (int attempt = 0; attempt < CouchLimits.MAX_ATTEMPTS; attempt++) {
            Attempt made = change.apply(read(id));
            if (StoreCalls.of(made.written())) {
                return made.revision();
            }
        }
        throw CouchException.conflict();
    }

    /** Returns the leaf that an edit replaces, empty if it creates the document, or null on a conflict. */
    @SuppressWarnings("NullAway") // three outcomes
    private static @Nullable Optional<Leaf> parent(CouchDocument document, Edit edit) {
        if (edit.rev() != null) {
            Optional<Leaf> leaf = document.tree().leaf(edit.rev());
            return leaf.isPresent() ? leaf : null;
        }
        return document.live() ? null : document.winner();
    }

    /** Returns the revision that the same edit created before, if its parent is still known. */
    private static @Nullable Revision done(CouchDocument document, Edit edit, String salt) {
        List<Revision> parents = new ArrayList<>();
        if (edit.rev() != null) {
            parents.add(edit.rev());
        } else {
            document.winner().ifPresent(leaf -> {
                List<String> ids = leaf.path().ids();
                for (int back = 1; back < ids.size() && back <= 16; back++) {
                    parents.add(new Revision(leaf.path().start() - back, ids.get(back)));
                }
            });
            Revision first = new Revision(1, edit.newRevision(null, known(document, edit), salt));
            if (document.tree().contains(first)) {
                return first;
            }
        }
        for (Revision parent : parents) {
            Revision made =
                    new Revision(parent.generation() + 1, edit.newRevision(parent, known(document, edit), salt));
            if (document.tree().contains(made)) {
                return made;
            }
        }
        return null;
    }

    /** Returns the attachments after the edit; a repeated edit finds its attachments in the document. */
    private static Map<String, Attachment> known(CouchDocument document, Edit edit) {
        if (edit.attachments().isEmpty()) {
            return Map.of();
        }
        return document.winner().map(Leaf::attachments).orElse(Map.of());
    }

    /** Adds a replicated revision with its history, and returns it; does nothing if the tree has it. */
    Revision graft(Edit edit) {
        return repeated(edit.id(), document -> graft(document, edit));
    }

    /** Starts to add a replicated revision to a document as it was read. */
    Attempt graft(CouchDocument document, Edit edit) {
        Leaf.Path path = edit.replicated();
        Revision revision = new Revision(path.start(), path.head());
        if (document.tree().contains(revision)) {
            return Attempt.notNeeded(revision);
        }
        check(document, edit);
        Map<String, Attachment> before = new LinkedHashMap<>();
        for (Leaf leaf : document.tree().leaves()) {
            leaf.attachments().forEach(before::putIfAbsent);
        }
        Map<String, Attachment> attachments = attachments(edit, path.start(), before);
        Leaf leaf = new Leaf(path, edit.deleted(), edit.empty(), attachments);
        RevisionTree tree = document.tree().merged(leaf);
        Leaf merged = tree.leaf(revision).orElseThrow();
        return new Attempt(write(document, tree, merged, edit.body()), revision);
    }

    private Map<String, Attachment> attachments(Edit edit, long generation, Map<String, Attachment> before) {
        Map<String, Attachment> attachments = new LinkedHashMap<>();
        edit.attachments().forEach((name, sent) -> attachments.put(name, attachment(name, sent, generation, before)));
        return attachments;
    }

    private Attachment attachment(String name, JsonNode sent, long generation, Map<String, Attachment> before) {
        if (sent.path("data").isString()) {
            byte[] bytes;
            try {
                bytes = Base64.getDecoder().decode(sent.path("data").asString());
            } catch (IllegalArgumentException e) {
                throw CouchException.badRequest("Attachment data must be base64");
            }
            return new Attachment(
                    sent.path("content_type").asString("application/octet-stream"),
                    side.putAttachment(bytes),
                    bytes.length,
                    sent.path("revpos").asLong(generation));
        }
        Attachment known = before.get(name);
        if (known == null || sent.path("revpos").asLong(0) > Math.max(known.revpos(), generation)) {
            throw CouchException.of(412, "missing_stub", "Invalid attachment stub for " + name);
        }
        return known;
    }

    /** Starts to write a tree with one new leaf; completes with false if another writer came first. */
    private CompletableFuture<Boolean> write(CouchDocument document, RevisionTree tree, Leaf added, byte[] body) {
        Leaf winner = tree.winner().orElseThrow();
        Leaf former = document.winner().orElse(null);
        boolean staysInDocument = winner.equals(added) && !winner.deleted();
        if (!staysInDocument && !added.empty()) {
            side.putBody(document.id(), added.revision(), body);
        }
        if (former != null
                && tree.leaves().contains(former)
                && !former.equals(winner)
                && !former.deleted()
                && !former.empty()) {
            side.putBody(document.id(), former.revision(), stored(document).body());
        }
        byte[] attributes = document.attributes(tree);
        DocumentKey key = new DocumentKey(keyspace, document.id());
        Write write;
        if (winner.deleted()) {
            boolean lives = document.document() != null && document.document().live();
            write = lives ? Write.remove(key).withXattrs(null, attributes) : Write.tombstone(key, null, attributes);
        } else if (winner.equals(added)) {
            write = Write.upsert(key, withUnseen(body, document)).withXattrs(null, attributes);
        } else if (winner.equals(former)) {
            write = Write.touch(key, Expiry.PRESERVE).withXattrs(null, attributes);
        } else {
            byte[] promoted = winner.empty()
                    ? RawObject.empty().bytes()
                    : side.body(document.id(), winner.revision())
                            .orElseGet(() -> RawObject.empty().bytes());
            write = Write.upsert(key, withUnseen(promoted, document)).withXattrs(null, attributes);
        }
        long cas = document.document() == null
                ? Write.NEVER_WRITTEN
                : document.document().cas();
        return store.write(write.withCas(cas)).thenApply(Writer::isWritten);
    }

    /** Members that other APIs have written, and that no client of this one can send back, stay in the document. */
    private static byte[] withUnseen(byte[] body, CouchDocument document) {
        Document before = document.document();
        return before != null && before.live() && before.datatype() == Datatype.JSON
                ? SpecialMembers.withUnseen(body, before.body())
                : body;
    }

    private static boolean isWritten(WriteResult result) {
        return switch (result) {
            case WriteResult.Written done -> true;
            case WriteResult.Locked locked ->
                throw CouchException.of(
                        409,
                        "conflict",
                        "The document is locked; try again when the lock has been released or has expired.");
            default -> false;
        };
    }

    private static Document stored(CouchDocument document) {
        if (document.document() == null) {
            throw new IllegalStateException("A winner without a document: " + document.id());
        }
        return document.document();
    }
}
