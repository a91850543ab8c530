package io.millrace.documents.redis;

import io.lettuce.core.KeyValue;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.Document.State;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Expiry;
import io.millrace.documents.Origin;
import io.millrace.documents.VersionStamp;
import io.millrace.redis.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Documents as fields of a Redis hash; {@code shared.lua} describes the fields. */
final class DocumentCodec {

    /** The fields that {@link #decode} wants, in its order. */
    static final byte[][] FIELDS = {Keys.HEADER, Keys.BODY, Keys.USER_XATTRS, Keys.SYSTEM_XATTRS};

    /** The same without the large ones: the field without a name is never there. */
    static final byte[][] SMALL_FIELDS = {Keys.HEADER, {}, {}, Keys.SYSTEM_XATTRS};

    private static final byte[] EMPTY = {};

    private DocumentCodec() {}

    /** Returns the document that the fields hold, or null when there is none. */
    static @Nullable Document decode(DocumentKey key, List<KeyValue<byte[], byte[]>> fields) {
        byte[] header = fields.get(0).getValueOrElse(null);
        if (header == null) {
            return null;
        }
        String text = new String(header, 0, lineEnd(header), StandardCharsets.UTF_8);
        int afterLock = text.indexOf(',');
        int afterCas = afterCas(text, afterLock);
        int afterType = text.indexOf(',', afterLock + 1);
        int afterExpiry = text.indexOf(',', afterType + 1);
        int afterRevision = text.indexOf(',', afterExpiry + 1);
        int afterModified = text.indexOf(',', afterRevision + 1);
        try {
            return new Document(
                    key,
                    Long.parseLong(text, 1, afterCas, 10),
                    state(text.charAt(0)),
                    fields.get(1).getValueOrElse(EMPTY),
                    datatype(text.charAt(afterLock + 1)),
                    Integer.parseUnsignedInt(text, afterLock + 2, afterType, 10),
                    expiry(text, afterType + 1, afterExpiry),
                    fields.get(2).getValueOrElse(null),
                    fields.get(3).getValueOrElse(null),
                    origin(text, afterModified + 1),
                    Long.parseLong(text, afterExpiry + 1, afterRevision, 10),
                    Instant.ofEpochSecond(Long.parseLong(text, afterRevision + 1, afterModified, 10)),
                    lock(text, afterCas, afterLock));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw DocumentsException.of(
                    Code.CORRUPT,
                    "Document %s has a header that this version does not write: %s".formatted(key, text),
                    e);
        }
    }

    /** The transactions that follow the line are for {@code write.lua} alone. */
    private static int lineEnd(byte[] header) {
        int end = 0;
        while (end < header.length && header[end] != '\n') {
            end++;
        }
        return end;
    }

    static char letter(State state) {
        return switch (state) {
            case LIVE -> 'L';
            case DELETED -> 'D';
            case EXPIRED -> 'E';
        };
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

    private static int afterCas(String header, int afterLock) {
        int mark = header.indexOf('!');
        return mark < 0 || mark > afterLock ? afterLock : mark;
    }

    private static Document.@Nullable Lock lock(String header, int from, int to) {
        if (from == to) {
            return null;
        }
        int colon = header.indexOf(':', from);
        long cas = Long.parseLong(header, colon + 1, to, 10);
        return new Document.Lock(cas, moment(header, from + 1, colon));
    }

    /** Reads what {@link #moment(Instant)} has written. */
    private static Instant moment(String header, int from, int to) {
        int point = to - 4;
        return Instant.ofEpochSecond(Long.parseLong(header, from, point, 10))
                .plusMillis(Long.parseLong(header, point + 1, to, 10));
    }

    /** Returns a second with three digits of its fraction. */
    static byte[] moment(Instant time) {
        long millis = time.toEpochMilli();
        String fraction = Long.toString(1000 + Math.floorMod(millis, 1000)).substring(1);
        return Bytes.bytes(Math.floorDiv(millis, 1000) + "." + fraction);
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
        return flags == 0 && letter == 'J' ? PLAIN_JSON : Bytes.bytes(letter + Integer.toUnsignedString(flags));
    }

    private static final byte[] PLAIN_JSON = Bytes.bytes("J0");
    private static final byte[] PRESERVE = Bytes.bytes("P");

    static byte[] expiry(Expiry expiry) {
        return switch (expiry) {
            case Expiry.Never never -> EMPTY;
            case Expiry.Preserve(Instant otherwise) ->
                otherwise == null ? PRESERVE : Bytes.bytes("P" + otherwise.getEpochSecond());
            case Expiry.At at -> Bytes.bytes(at.time().getEpochSecond());
        };
    }

    /** Returns {@code <part><offset><form>} for each, with commas between. */
    static byte[] stamps(List<VersionStamp> stamps) {
        if (stamps.isEmpty()) {
            return EMPTY;
        }
        StringBuilder text = new StringBuilder();
        for (VersionStamp stamp : stamps) {
            text.append(text.isEmpty() ? "" : ",")
                    .append(
                            switch (stamp.part()) {
                                case BODY -> 'b';
                                case USER_XATTRS -> 'u';
                                case SYSTEM_XATTRS -> 'y';
                            })
                    .append(stamp.offset())
                    .append(
                            switch (stamp.form()) {
                                case CAS_SWAPPED -> 'c';
                                case SEQNO -> 's';
                            });
        }
        return Bytes.bytes(text.toString());
    }

    static byte[] origin(@Nullable Origin origin) {
        return origin == null ? EMPTY : Bytes.bytes(origin.instance() + ':' + origin.hops());
    }
}
