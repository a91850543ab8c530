package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.documents.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A stored document as CouchDB would see it. Its tree is in a system attribute, together with the number of mutations
 * at that time; each later mutation, through any API, is one more revision of the winner.
 */
public record CouchDocument(String id, @Nullable Document document, RevisionTree tree) {

    private static final String ATTRIBUTE = "_couch";
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int DELETED = 1;
    private static final int EMPTY = 2;

    /** What the attribute has of a leaf in front of the ids of its revisions: the number of the last one, flags and attachments. */
    private static final int LEAF_PARTS = 3;

    /**
     * Reads a document; its collection number distinguishes it from one with the same id in an earlier, dropped bucket.
     */
    static CouchDocument of(String id, int collection, @Nullable Document document) {
        if (document == null) {
            return new CouchDocument(id, null, RevisionTree.EMPTY);
        }
        String seed = collection + "\0" + id;
        JsonNode stored = stored(document.systemXattrs());
        if (stored == null) {
            Leaf only = new Leaf(
                    Leaf.Path.ofUnnamed(Math.max(1, document.revision()), seed),
                    !document.live(),
                    !document.live(),
                    Map.of());
            return new CouchDocument(id, document, new RevisionTree(List.of(only)));
        }
        List<Leaf> leaves = new ArrayList<>();
        stored.path("l").forEach(leaf -> leaves.add(leaf(leaf)));
        RevisionTree tree = new RevisionTree(leaves);
        long since = document.revision() - stored.path("n").asLong(0);
        return new CouchDocument(id, document, since <= 0 ? tree : grown(tree, since, seed, document.live()));
    }

    /** A removal through another API ends all branches; a write continues the winner. */
    private static RevisionTree grown(RevisionTree tree, long since, String seed, boolean live) {
        List<Leaf> leaves = new ArrayList<>();
        for (Leaf leaf : tree.leaves()) {
            boolean winner = leaves.isEmpty();
            boolean grows = winner || (!live && !leaf.deleted());
            leaves.add(grows ? leaf.grown(since, seed, !live) : leaf);
        }
        return new RevisionTree(leaves);
    }

    private static @Nullable JsonNode stored(byte @Nullable [] systemXattrs) {
        if (systemXattrs == null) {
            return null;
        }
        try {
            JsonNode attribute = RawObject.attributes(systemXattrs).tree(ATTRIBUTE);
            return isOurs(attribute) ? attribute : null;
        } catch (CouchException e) {
            return null;
        }
    }

    /** Clients of other protocols can write any attribute, and one that cannot be read would end all feeds at its document. */
    private static boolean isOurs(JsonNode attribute) {
        return attribute.path("n").asLong(-1) >= 0
                && attribute.path("l").isArray()
                && !attribute.path("l").isEmpty()
                && attribute.path("l").valueStream().allMatch(CouchDocument::isLeaf);
    }

    private static boolean isLeaf(JsonNode leaf) {
        return leaf.size() > LEAF_PARTS
                && leaf.get(0).canConvertToLong()
                && leaf.get(1).canConvertToInt()
                && leaf.get(2).isObject()
                && leaf.valueStream().skip(LEAF_PARTS).allMatch(JsonNode::isString);
    }

    private static Leaf leaf(JsonNode stored) {
        long start = stored.get(0).asLong();
        int flags = stored.get(1).asInt();
        Map<String, Attachment> attachments = new LinkedHashMap<>();
        stored.get(2).properties().forEach(entry -> attachments.put(entry.getKey(), Attachment.read(entry.getValue())));
        List<String> ids = new ArrayList<>(stored.size() - LEAF_PARTS);
        for (int i = LEAF_PARTS; i < stored.size(); i++) {
            ids.add(stored.get(i).asString());
        }
        return new Leaf(new Leaf.Path(start, ids), (flags & DELETED) != 0, (flags & EMPTY) != 0, attachments);
    }

    /** Returns the system attributes to write with the mutation that gives the document this tree. */
    byte[] attributes(RevisionTree next) {
        ObjectNode attribute = JSON.createObjectNode();
        attribute.put("n", (document == null ? 0 : document.revision()) + 1);
        ArrayNode leaves = attribute.putArray("l");
        for (Leaf leaf : next.leaves()) {
            ArrayNode entry = leaves.addArray();
            entry.add(leaf.path().start());
            entry.add((leaf.deleted() ? DELETED : 0) | (leaf.empty() ? EMPTY : 0));
            ObjectNode attachments = entry.addObject();
            leaf.attachments().forEach((name, attachment) -> attachment.write(attachments.putObject(name)));
            leaf.path().ids().forEach(entry::add);
        }
        byte[] before = document == null ? null : document.systemXattrs();
        return (before == null ? RawObject.empty() : RawObject.attributes(before))
                .put(ATTRIBUTE, attribute)
                .bytes();
    }

    /** Returns the ends of all branches, the winner first. */
    public List<Leaf> leaves() {
        return tree.leaves();
    }

    public Optional<Leaf> winner() {
        return tree.winner();
    }

    /** Returns whether the document exists and is not deleted. */
    boolean live() {
        return winner().filter(leaf -> !leaf.deleted()).isPresent();
    }
}
