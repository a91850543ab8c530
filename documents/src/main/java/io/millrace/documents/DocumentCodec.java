package io.millrace.documents;

import io.lettuce.core.KeyValue;
import io.millrace.documents.Document.State;
import io.millrace.documents.DocumentsException.Code;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Documents as fields of a Redis hash; {@code shared.lua} describes them. */
final class DocumentCodec {

    /** The fields that {@link #decode} wants, in its order. */
    static final byte[][] FIELDS = {Keys.CAS, Keys.HEADER, Keys.BODY, Keys.USER_XATTRS, Keys.SYSTEM_XATTRS};

    private static final byte[] EMPTY = {};

    private DocumentCodec() {}

    /** Returns the document that the fields hold, or null when there is none. */
    static @Nullable Document decode(DocumentKey key, List<KeyValue<byte[], byte[]>> fields) {
        byte[] cas = fields.get(0).getValueOrElse(null);
        byte[] header = fields.get(1).getValueOrElse(null);
        if (cas == null || header == null) {
            return null;
        }
        return decode(
                key,
                Keys.number(cas, 0),
                new String(header, StandardCharsets.UTF_8),
                fields.get(2).getValueOrElse(EMPTY),
                fields.get(3).getValueOrElse(null),
                fields.get(4).getValueOrElse(null));
    }

    private static Document decode(
            DocumentKey key, long cas, String header, byte[] body, byte @Nullable [] user, byte @Nullable [] system) {
        int afterType = header.indexOf(',');
        int afterExpiry = header.indexOf(',', afterType + 1);
        if (afterType < 3 || afterExpiry < 0) {
            throw corrupt(key, header);
        }
        try {
            return new Document(
                    key,
                    cas,
                    state(header.charAt(0)),
                    body,
                    datatype(header.charAt(1)),
                    Integer.parseUnsignedInt(header, 2, afterType, 10),
                    expiry(header, afterType + 1, afterExpiry),
                    user,
                    system,
                    origin(header, afterExpiry + 1));
        } catch (IllegalArgumentException e) {
            throw corrupt(key, header);
        }
    }

    private static DocumentsException corrupt(DocumentKey key, String header) {
        return DocumentsException.of(
                Code.CORRUPT, "Document %s has a header that this version does not write: %s".formatted(key, header));
    }

    static State state(char letter) {
        return switch (letter) {
            case 'L' -> State.LIVE;
            case 'D' -> State.DELETED;
            case 'E' -> State.EXPIRED;
            default -> throw new IllegalArgumentException("State " + letter);
        };
    }

    private static Datatype datatype(char letter) {
        return switch (letter) {
            case 'J' -> Datatype.JSON;
            case 'B' -> Datatype.BINARY;
            default -> throw new IllegalArgumentException("Datatype " + letter);
        };
    }

    private static @Nullable Instant expiry(String header, int from, int to) {
        return from == to ? null : Instant.ofEpochSecond(Long.parseLong(header, from, to, 10));
    }

    private static @Nullable Origin origin(String header, int from) {
        if (from == header.length()) {
            return null;
        }
        int colon = header.lastIndexOf(':');
        if (colon < from) {
            throw new IllegalArgumentException("Origin without hops");
        }
        return new Origin(header.substring(from, colon), Integer.parseInt(header, colon + 1, header.length(), 10));
    }

    /** Returns {@code <datatype><flags>}. */
    static byte[] type(Datatype datatype, int flags) {
        char letter = switch (datatype) {
            case JSON -> 'J';
            case BINARY -> 'B';
        };
        return flags == 0 && letter == 'J' ? PLAIN_JSON : Keys.bytes(letter + Integer.toUnsignedString(flags));
    }

    private static final byte[] PLAIN_JSON = Keys.bytes("J0");
    private static final byte[] PRESERVE = Keys.bytes("P");

    static byte[] expiry(Expiry expiry) {
        return switch (expiry) {
            case Expiry.Never never -> EMPTY;
            case Expiry.Preserve preserve -> PRESERVE;
            case Expiry.At at -> Keys.bytes(at.time().getEpochSecond());
        };
    }

    static byte[] origin(@Nullable Origin origin) {
        return origin == null ? EMPTY : Keys.bytes(origin.instance() + ':' + origin.hops());
    }
}
