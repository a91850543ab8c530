package io.millrace.subdoc.requests;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A value that the server fills in.
 *
 * @param path for VIRTUAL, the path of the virtual attribute that stood before the mutation
 */
record Macro(Kind kind, byte[] path) {

    /** What is filled in. */
    enum Kind {
        CAS,
        SEQNO,
        CRC32C,
        VIRTUAL
    }

    private static final byte[] NO_PATH = new byte[0];
    private static final String VIRTUAL = "\"${" + XattrName.DOCUMENT;

    /** Returns the macro that a value is, quotes included, or null if it is not a macro. */
    static @Nullable Macro of(byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        return switch (text) {
            case "\"${Mutation.CAS}\"" -> new Macro(Kind.CAS, NO_PATH);
            case "\"${Mutation.seqno}\"" -> new Macro(Kind.SEQNO, NO_PATH);
            case "\"${Mutation.value_crc32c}\"" -> new Macro(Kind.CRC32C, NO_PATH);
            default -> virtual(text);
        };
    }

    private static @Nullable Macro virtual(String text) {
        if (!text.startsWith(VIRTUAL) || !text.endsWith("}\"")) {
            return null;
        }
        String path = text.substring("\"${".length(), text.length() - "}\"".length());
        boolean whole = path.length() == XattrName.DOCUMENT.length();
        return whole || path.charAt(XattrName.DOCUMENT.length()) == '.'
                ? new Macro(Kind.VIRTUAL, path.getBytes(StandardCharsets.UTF_8))
                : null;
    }
}
