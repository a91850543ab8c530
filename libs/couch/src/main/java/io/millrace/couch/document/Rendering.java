package io.millrace.couch.document;

import io.millrace.documents.Document;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Renders revisions as JSON, as CouchDB does. */
public final class Rendering {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    /** The special members to render in addition to the body. */
    public record Options(
            boolean revs,
            boolean revsInfo,
            boolean conflicts,
            boolean deletedConflicts,
            boolean localSeq,
            boolean attachments) {

        public static final Options PLAIN = new Options(false, false, false, false, false, false);

        /** Returns whether what is shown stays the same as long as the revision does. */
        boolean ofTheRevisionAlone() {
            return !(revs || revsInfo || conflicts || deletedConflicts || localSeq);
        }

        static Options of(QueryParameters query) {
            boolean meta = query.isTrue("meta");
            return new Options(
                    query.isTrue("revs"),
                    meta || query.isTrue("revs_info"),
                    meta || query.isTrue("conflicts"),
                    meta || query.isTrue("deleted_conflicts"),
                    query.isTrue("local_seq"),
                    query.isTrue("attachments") || query.get("atts_since") != null);
        }
    }

    private final SideStore side;

    Rendering(SideStore side) {
        this.side = side;
    }

    /** Returns the JSON of a revision with stubs of its attachments, or empty if its body is no longer stored. */
    public Optional<RawObject> render(CouchDocument document, Leaf leaf) {
        return render(document, leaf, Options.PLAIN, bytes -> {});
    }

    /**
     * Returns the JSON of a revision, or empty if its body is no longer stored.
     *
     * @param attached is told how many bytes each attachment adds, as it is read
     */
    public Optional<RawObject> render(CouchDocument document, Leaf leaf, Options options, LongConsumer attached) {
        return body(document, leaf).map(body -> {
            RawObject out = RawObject.empty()
                    .put("_id", document.id())
                    .put("_rev", leaf.revision().toString());
            if (leaf.deleted()) {
                out.put("_deleted", JSON.getNodeFactory().booleanNode(true));
            }
            if (!RawObject.isObject(body)) {
                out.put("value", body.length > 0 && RawObject.isJson(body) ? body : NULL);
            } else {
                RawObject.ofStored(body).members().forEach((name, value) -> {
                    if (SpecialMembers.isInBody(name)) {
                        out.put(name, value);
                    }
                });
            }
            describe(out, document, leaf, options, attached);
            return out;
        });
    }

    private Optional<byte[]> body(CouchDocument document, Leaf leaf) {
        if (leaf.empty()) {
            return Optional.of(RawObject.empty().bytes());
        }
        Document stored = document.document();
        if (stored != null
                && stored.live()
                && document.winner().filter(leaf::equals).isPresent()) {
            return Optional.of(
                    switch (stored.datatype()) {
                        case JSON -> stored.body();
                        case BINARY -> RawObject.empty().bytes();
                    });
        }
        return side.body(document.id(), leaf.revision());
    }

    private void describe(RawObject out, CouchDocument document, Leaf leaf, Options options, LongConsumer attached) {
        if (options.revs) {
            ObjectNode revisions = JSON.createObjectNode();
            revisions.put("start", leaf.path().start());
            ArrayNode ids = revisions.putArray("ids");
            leaf.path().ids().forEach(ids::add);
            out.put("_revisions", revisions);
        }
        if (options.revsInfo) {
            out.put("_revs_info", revsInfo(leaf));
        }
        if (options.conflicts) {
            losers(out, "_conflicts", document, leaf, false);
        }
        if (options.deletedConflicts) {
            losers(out, "_deleted_conflicts", document, leaf, true);
        }
        if (options.localSeq && document.document() != null) {
            out.put("_local_seq", Sequence.text(document.document().seqno()));
        }
        if (!leaf.attachments().isEmpty()) {
            out.put(
                    "_attachments",
                    attachments(leaf.attachments(), options.attachments, attached)
                            .bytes());
        }
    }

    private static ArrayNode revsInfo(Leaf leaf) {
        ArrayNode info = JSON.createArrayNode();
        List<String> ids = leaf.path().ids();
        for (int back = 0; back < ids.size(); back++) {
            info.addObject()
                    .put("rev", new Revision(leaf.path().start() - back, ids.get(back)).toString())
                    .put("status", back > 0 ? "missing" : leaf.deleted() ? "deleted" : "available");
        }
        return info;
    }

    private static void losers(RawObject out, String name, CouchDocument document, Leaf leaf, boolean deleted) {
        Stream<Leaf> others = document.tree().leaves().stream()
                .filter(other -> other.deleted() == deleted && !other.revision().equals(leaf.revision()));
        ArrayNode list = JSON.createArrayNode();
        others.forEach(other -> list.add(other.revision().toString()));
        if (!list.isEmpty()) {
            out.put(name, list);
        }
    }

    private RawObject attachments(Map<String, Attachment> attachments, boolean data, LongConsumer attached) {
        RawObject all = RawObject.empty();
        attachments.forEach((name, attachment) -> {
            ObjectNode described = JSON.createObjectNode();
            attachment.write(described);
            Optional<byte[]> bytes = data ? side.attachment(attachment.digest()) : Optional.empty();
            if (bytes.isEmpty()) {
                all.put(name, described.put("stub", true));
                return;
            }
            described.remove("length");
            String text = Base64.getEncoder().encodeToString(bytes.get());
            attached.accept(text.length());
            all.put(name, described.put("data", text));
        });
        return all;
    }
}
