package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The description of a file that belongs to a revision; its bytes are stored under their digest.
 *
 * @param digest {@code md5-} and Base64
 * @param length in bytes
 * @param revpos the generation in which it was attached
 */
record Attachment(String contentType, String digest, long length, long revpos) {

    static Attachment read(JsonNode node) {
        return new Attachment(
                node.path("content_type").asString("application/octet-stream"),
                node.path("digest").asString(""),
                node.path("length").asLong(0),
                node.path("revpos").asLong(1));
    }

    static void checkName(String name) {
        if (name.startsWith("_")) {
            throw CouchException.badRequest(
                    "Attachment name '%s' starts with prohibited character '_'".formatted(name));
        }
    }

    void write(ObjectNode into) {
        into.put("content_type", contentType);
        into.put("revpos", revpos);
        into.put("digest", digest);
        into.put("length", length);
    }
}
