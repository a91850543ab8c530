package io.millrace.documents.redis;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.Document.State;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Expiry;
import io.millrace.documents.Origin;
import io.millrace.documents.VersionStamp;
import io.millrace.documents.Write;
import io.millrace.redis.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Documents as fields of a Redis hash; {@code shared.lua} describes the fields. */
final class DocumentCodec {

    /** The fields that {@link #decode} wants, in its order. */
    static final byte[][] FIELDS = {Keys.HEADER, Keys.BODY, Keys.USER_XATTRS, Keys.SYSTEM_XATTRS};

    /** The same without the large ones: the field without a name is never there. */
    static final byte[][] SMALL_FIELDS = {Keys.HEADER, {}, {}, Keys.SYSTEM_XATTRS};

    private static final byte[] EMPTY = {};

    // The header, see shared.lua.
    private static final byte FORMAT = 2;
    private static final int STATE = 1;
    private static final int CAS = 2;
    private static final int SEQNO = 10;
    private static final int SEQNO_BYTES = 7;
    private static final int REVISION = 17;
    private static final int MODIFIED = 22;
    private static final int EXPIRY = 27;
    private static final int SECOND_BYTES = 5;
    private static final int TYPE = 32;
    private static final int ORIGIN_LENGTH = 37;
    private static final int LOCKED = 38;
    private static final int HEADER_BYTES = 39;
    private static final int MILLISECOND_BYTES = 6;
    private static final int LOCK_BYTES = MILLISECOND_BYTES + Long.BYTES;

    // The description of a write, see write.lua.
    private static final int DESCRIPTION_BYTES = 31;
    private static final int BODY = 1;
    private static final int USER_XATTRS = 2;
    private static final int SYSTEM_XATTRS = 4;
    private static final long MAX_SECOND = (1L << 40) - 1;

    private DocumentCodec() {}

    /** Returns the document that the fields hold, or null when there is none. */
    static @Nullable Document decode(DocumentKey key, DocumentCalls.Fields fields) {
        byte[] header = fields.get(0);
        if (header == null) {
            return null;
        }
        byte[] body = Objects.requireNonNullElse(fields.get(1), EMPTY);
        byte[] user = fields.get(2);
        byte[] system = fields.get(3);
        try {
            return header.length > 0 && header[0] == FORMAT
                    ? decode(key, header, body, user, system)
                    : TextHeader.decode(key, header, body, user, system);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw DocumentsException.of(
                    Code.CORRUPT,
                    "Document %s has a header that this version does not write: %s"
                            .formatted(key, HexFormat.of().formatHex(header)),
                    e);
        }
    }

    private static Document decode(
            DocumentKey key, byte[] header, byte[] body, byte @Nullable [] user, byte @Nullable [] system) {
        boolean locked = header[LOCKED] == 1;
        int origin = HEADER_BYTES + (locked ? LOCK_BYTES : 0);
        return new Document(
                key,
                number(header, CAS, Long.BYTES),
                number(header, SEQNO, SEQNO_BYTES),
                state((char) header[STATE]),
                body,
                datatype((char) header[TYPE]),
                (int) number(header, TYPE + 1, Integer.BYTES),
                expiry(number(header, EXPIRY, SECOND_BYTES)),
                user,
                system,
                Origin.parse(new String(header, origin, header[ORIGIN_LENGTH] & 0xff, StandardCharsets.UTF_8)),
                number(header, REVISION, SECOND_BYTES),
                Instant.ofEpochSecond(number(header, MODIFIED, SECOND_BYTES)),
                locked
                        ? new Document.Lock(
                                number(header, HEADER_BYTES + MILLISECOND_BYTES, Long.BYTES),
                                Instant.ofEpochMilli(number(header, HEADER_BYTES, MILLISECOND_BYTES)))
                        : null);
    }

    /** Reads a number with its highest byte first. */
    static long number(byte[] bytes, int from, int length) {
        long number = 0;
        for (int i = from; i < from + length; i++) {
            number = number << 8 | bytes[i] & 0xff;
        }
        return number;
    }

    private static @Nullable Instant expiry(long second) {
        return second == 0 ? null : Instant.ofEpochSecond(second);
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

    static Datatype datatype(char letter) {
        return switch (letter) {
            case 'J' -> Datatype.JSON;
            case 'B' -> Datatype.BINARY;
            default -> throw new IllegalArgumentException("Datatype " + letter);
        };
    }

    /** Returns a second with three digits of its fraction. */
    static byte[] moment(Instant time) {
        long millis = time.toEpochMilli();
        String fraction = Long.toString(1000 + Math.floorMod(millis, 1000)).substring(1);
        return Bytes.bytes(Math.floorDiv(millis, 1000) + "." + fraction);
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

    /** Returns what describes a write: everything about it but the contents of the fields that it sets. */
    static byte[] describe(Write write) {
        byte[] origin = origin(write.origin());
        byte[] stamps = stamps(write.stamps());
        ByteBuffer out = ByteBuffer.allocate(DESCRIPTION_BYTES + origin.length + stamps.length);
        out.put((byte) letter(write.kind())).put((byte) given(write)).put((byte) dropped(write));
        out.putLong(write.expectedCas()).putLong(write.transaction().number());
        out.put((byte) (write.datatype() == Datatype.JSON ? 'J' : 'B')).putInt(write.flags());
        expiry(write.expiry(), out);
        return out.put((byte) origin.length).put(origin).put(stamps).array();
    }

    private static char letter(Write.Kind kind) {
        return switch (kind) {
            case INSERT -> 'I';
            case UPSERT -> 'U';
            case REPLACE -> 'R';
            case REMOVE -> 'D';
            case TOMBSTONE -> 'T';
        };
    }

    private static boolean ends(Write write) {
        return write.kind() == Write.Kind.REMOVE || write.kind() == Write.Kind.TOMBSTONE;
    }

    private static int given(Write write) {
        return (write.body() != null && !ends(write) ? BODY : 0)
                | (filled(write.userXattrs()) ? USER_XATTRS : 0)
                | (filled(write.systemXattrs()) ? SYSTEM_XATTRS : 0);
    }

    private static boolean filled(byte @Nullable [] value) {
        return value != null && value.length > 0;
    }

    private static int dropped(Write write) {
        boolean removes = write.kind() == Write.Kind.REMOVE;
        byte[] user = write.userXattrs();
        byte[] system = write.systemXattrs();
        return (removes ? BODY : 0)
                | ((user == null ? removes : user.length == 0) ? USER_XATTRS : 0)
                | (system != null && system.length == 0 ? SYSTEM_XATTRS : 0);
    }

    /** Adds what a write describes, and the fields that it sets, to arguments of a call; returns their bytes. */
    static int arguments(Write write, List<byte[]> args) {
        args.add(describe(write));
        int bytes = 0;
        byte[][] fields = {ends(write) ? null : write.body(), write.userXattrs(), write.systemXattrs()};
        for (int i = 0; i < fields.length; i++) {
            byte[] value = fields[i];
            if (value != null && (i == 0 || value.length > 0)) {
                args.add(value);
                bytes += value.length;
            }
        }
        return bytes;
    }

    private static void expiry(Expiry expiry, ByteBuffer out) {
        long second = switch (expiry) {
            case Expiry.Never never -> 0;
            case Expiry.Preserve(Instant otherwise) -> second(otherwise);
            case Expiry.At at -> second(at.time());
        };
        out.put((byte) (expiry instanceof Expiry.Preserve ? 'P' : 'E'));
        out.put((byte) (second >>> 32)).putInt((int) second);
    }

    private static long second(@Nullable Instant time) {
        return time == null ? 0 : Math.clamp(time.getEpochSecond(), 1, MAX_SECOND);
    }

    static byte[] origin(@Nullable Origin origin) {
        return origin == null ? EMPTY : Bytes.bytes(origin.text());
    }

    /**
     * Headers of format 1: {@code <state><cas><lock>,<datatype><flags>,<expiry>,<revision>,<modified>,<origin>} and the end
     * of a line. The CAS is the seqno. A document keeps such a header until it is changed. A lock from then is not read: it
     * has ended.
     */
    private static final class TextHeader {

        private TextHeader() {}

        static Document decode(
                DocumentKey key, byte[] header, byte[] body, byte @Nullable [] user, byte @Nullable [] system) {
            String text = new String(header, 0, lineEnd(header), StandardCharsets.UTF_8);
            int afterLock = text.indexOf(',');
            int afterType = text.indexOf(',', afterLock + 1);
            int afterExpiry = text.indexOf(',', afterType + 1);
            int afterRevision = text.indexOf(',', afterExpiry + 1);
            int afterModified = text.indexOf(',', afterRevision + 1);
            long seqno = Long.parseLong(text, 1, afterCas(text, afterLock), 10);
            return new Document(
                    key,
                    seqno,
                    seqno,
                    state(text.charAt(0)),
                    body,
                    datatype(text.charAt(afterLock + 1)),
                    Integer.parseUnsignedInt(text, afterLock + 2, afterType, 10),
                    expiry(text, afterType + 1, afterExpiry),
                    user,
                    system,
                    Origin.parse(text.substring(afterModified + 1)),
                    Long.parseLong(text, afterExpiry + 1, afterRevision, 10),
                    Instant.ofEpochSecond(Long.parseLong(text, afterRevision + 1, afterModified, 10)),
                    null);
        }

        /** Transactions follow the line. */
        private static int lineEnd(byte[] header) {
            int end = 0;
            while (end < header.length && header[end] != '\n') {
                end++;
            }
            return end;
        }

        private static int afterCas(String header, int afterLock) {
            int mark = header.indexOf('!');
            return mark < 0 || mark > afterLock ? afterLock : mark;
        }

        private static @Nullable Instant expiry(String header, int from, int to) {
            return from == to ? null : Instant.ofEpochSecond(Long.parseLong(header, from, to, 10));
        }
    }
}
