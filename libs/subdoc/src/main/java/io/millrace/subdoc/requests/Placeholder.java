package io.millrace.subdoc.requests;

import io.millrace.subdoc.Change.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What stands for a macro while a request is worked on: a string of the final length, in bytes that no UTF-8 text has,
 * so that it is found again wherever later operations of the request have moved or copied it.
 */
final class Placeholder {

    private static final byte MARK = (byte) 0xf8;
    private static final int CRC_LENGTH = 10;

    private Placeholder() {}

    /** Returns the string, quotes included. */
    static byte[] of(Macro.Kind kind) {
        byte[] text = new byte[1 + length(kind) + 1];
        Arrays.fill(text, MARK);
        text[0] = '"';
        text[2] = (byte) ('0' + kind.ordinal());
        text[text.length - 1] = '"';
        return text;
    }

    private static int length(Macro.Kind kind) {
        return kind == Macro.Kind.CRC32C ? CRC_LENGTH : Stamp.LENGTH;
    }

    /** Returns the text with checksums in place of theirs and zeros in place of others, whose places are added. */
    static byte[] fill(byte[] text, long crc32c, Stamp.Part part, List<Stamp> stamps) {
        int at = next(text, 0);
        if (at == text.length) {
            return text;
        }
        byte[] filled = text.clone();
        while (at < text.length) {
            Macro.Kind kind = Macro.Kind.values()[text[at + 1] - '0'];
            String content = kind == Macro.Kind.CRC32C ? "0x%08x".formatted(crc32c) : "0x%016x".formatted(0);
            byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(bytes, 0, filled, at, bytes.length);
            if (kind != Macro.Kind.CRC32C) {
                stamps.add(new Stamp(part, at, kind == Macro.Kind.CAS ? Stamp.Form.CAS_SWAPPED : Stamp.Form.SEQNO));
            }
            at = next(text, at + length(kind));
        }
        return filled;
    }

    /** Returns where the content of the next placeholder begins, or the end. */
    private static int next(byte[] text, int from) {
        for (int at = from; at + 1 < text.length; at++) {
            if (text[at] == MARK && begins(text, at)) {
                return at;
            }
        }
        return text.length;
    }

    private static boolean begins(byte[] text, int at) {
        int kind = text[at + 1] - '0';
        if (kind < 0 || kind > Macro.Kind.CRC32C.ordinal() || at == 0 || text[at - 1] != '"') {
            return false;
        }
        int stop = at + length(Macro.Kind.values()[kind]);
        return stop < text.length && text[stop] == '"';
    }
}
