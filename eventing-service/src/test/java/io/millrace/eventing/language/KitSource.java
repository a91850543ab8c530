package io.millrace.eventing.language;

import io.millrace.documents.Datatype;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;

/**
 * The documents that handlers of the kit are given: JSON, behind {@code expires=SECONDS} and {@code xattrs=JSON} where
 * they have that (no blanks inside), or {@code binary=HEX}.
 */
final class KitSource {

    private KitSource() {}

    static Write write(String id, String text) {
        DocumentKey key = new DocumentKey(Keyspace.of("kit-src"), id);
        if (text.startsWith("binary=")) {
            return Write.upsert(key, HexFormat.of().parseHex(text.substring("binary=".length())))
                    .withDatatype(Datatype.BINARY);
        }
        String[] parts = text.split(" ", 2);
        if (text.startsWith("expires=")) {
            long seconds = Long.parseLong(parts[0].substring("expires=".length()));
            return write(id, parts[1]).withExpiry(Expiry.at(Instant.ofEpochSecond(seconds)));
        }
        if (text.startsWith("xattrs=")) {
            return write(id, parts[1]).withXattrs(utf8(parts[0].substring("xattrs=".length())), null);
        }
        return Write.upsert(key, utf8(text));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
