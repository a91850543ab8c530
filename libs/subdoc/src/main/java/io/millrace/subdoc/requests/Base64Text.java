package io.millrace.subdoc.requests;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Any bytes as a JSON string, the way in which Couchbase keeps binary attributes. */
final class Base64Text {

    private static final byte[] HEAD = "\"cb-content-base64-encoded:".getBytes(StandardCharsets.UTF_8);

    private Base64Text() {}

    /** Returns the string, quotes included. */
    static byte[] encode(byte[] bytes) {
        byte[] base64 = Base64.getEncoder().encode(bytes);
        byte[] text = new byte[HEAD.length + base64.length + 1];
        System.arraycopy(HEAD, 0, text, 0, HEAD.length);
        System.arraycopy(base64, 0, text, HEAD.length, base64.length);
        text[text.length - 1] = '"';
        return text;
    }

    /** Returns the bytes that a string holds, or null if it does not hold any. */
    static byte @Nullable [] decode(byte[] text) {
        if (text.length <= HEAD.length || text[text.length - 1] != '"') {
            return null;
        }
        for (int i = 0; i < HEAD.length; i++) {
            if (text[i] != HEAD[i]) {
                return null;
            }
        }
        byte[] base64 = new byte[text.length - 1 - HEAD.length];
        System.arraycopy(text, HEAD.length, base64, 0, base64.length);
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }
}
