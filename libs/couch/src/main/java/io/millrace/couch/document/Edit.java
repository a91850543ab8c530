package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A document as a client sends it: its own members, and the special members that describe it.
 *
 * @param body its own members, byte for byte
 * @param rev the revision that it replaces or, with {@code new_edits=false}, its own revision
 * @param revisions the ids of its history, newest first, if the client sent one
 * @param attachments by name, as they were sent
 */
record Edit(
        String id,
        byte[] body,
        boolean empty,
        boolean deleted,
        @Nullable Revision rev,
        Leaf.@Nullable Path revisions,
        Map<String, JsonNode> attachments) {

    /** Returns the document with the members that name and delete it, as functions of design documents see it. */
    byte[] json() {
        RawObject json = RawObject.parse(body).put("_id", RawObject.quoted(id));
        if (rev != null) {
            json.put("_rev", RawObject.quoted(rev.toString()));
        }
        if (deleted) {
            json.put("_deleted", "true".getBytes(StandardCharsets.US_ASCII));
        }
        return json.bytes();
    }

    /** Reads a document; its {@code _id} is used if the URL does not have the id. */
    static Edit read(RawObject sent, @Nullable String addressed, @Nullable String rev) {
        RawObject body = RawObject.empty();
        sent.members().forEach((name, value) -> {
            SpecialMembers.check(name);
            if (SpecialMembers.isInBody(name)) {
                body.put(name, value);
            }
        });
        String id = addressed;
        if (id == null) {
            JsonNode named = sent.tree("_id");
            if (!named.isString()) {
                throw CouchException.of(400, "illegal_docid", "Document id must be a string");
            }
            id = named.asString();
        }
        checkId(id);
        String said = sent.text("_rev");
        if (rev != null && said != null && !rev.equals(said)) {
            throw CouchException.badRequest("Document rev from request body and query string have different values");
        }
        String revision = rev != null ? rev : said;
        return new Edit(
                id,
                body.bytes(),
                body.members().isEmpty(),
                sent.isTrue("_deleted"),
                revision == null ? null : Revision.parse(revision),
                history(sent.tree("_revisions")),
                attachments(sent.tree("_attachments")));
    }

    static void checkId(String id) {
        if (id.isEmpty()) {
            throw CouchException.of(400, "illegal_docid", "Document id must not be empty");
        }
        if (id.startsWith("_") && !id.startsWith("_design/") && !id.startsWith("_local/")) {
            throw CouchException.of(400, "illegal_docid", "Only reserved document ids may start with underscore.");
        }
    }

    private static Leaf.@Nullable Path history(JsonNode revisions) {
        if (!revisions.isObject()) {
            return null;
        }
        List<String> ids = new ArrayList<>();
        revisions.path("ids").forEach(id -> ids.add(id.asString("")));
        long start = revisions.path("start").asLong(0);
        if (ids.isEmpty() || start < ids.size()) {
            throw CouchException.docValidation(
                    "_revisions.ids must have at least one entry, and at most as many as _revisions.start says");
        }
        return new Leaf.Path(start, List.copyOf(ids.subList(0, Math.min(ids.size(), CouchLimits.REVS_LIMIT))));
    }

    private static Map<String, JsonNode> attachments(JsonNode sent) {
        Map<String, JsonNode> attachments = new LinkedHashMap<>();
        sent.properties().forEach(entry -> {
            Attachment.checkName(entry.getKey());
            attachments.put(entry.getKey(), entry.getValue());
        });
        return attachments;
    }

    /** Returns the history of a replicated revision. */
    Leaf.Path replicated() {
        if (revisions != null) {
            return revisions;
        }
        if (rev == null) {
            throw CouchException.badRequest("A document with new_edits=false must have _rev or _revisions");
        }
        return new Leaf.Path(rev.generation(), List.of(rev.id()));
    }

    /** Returns the id of the revision that this edit creates from another: the same edit gives the same id. */
    String newRevision(@Nullable Revision parent, Map<String, Attachment> kept, String salt) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(body.length + 100);
        String head = deleted + "\0" + (parent == null ? "" : parent) + '\0' + salt + '\0';
        text.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        kept.forEach((name, attachment) ->
                text.writeBytes((name + '\0' + attachment.digest() + '\0').getBytes(StandardCharsets.UTF_8)));
        text.writeBytes(body);
        return HexFormat.of().formatHex(Hashes.md5().digest(text.toByteArray()));
    }
}
