package io.millrace.n1ql.value;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A field's name prepared for look-ups in documents' bytes. */
public final class FieldName {

    private final String text;
    private final byte[] utf8;
    private final boolean caseSensitive;

    private FieldName(String text, boolean caseSensitive) {
        this.text = text;
        this.utf8 = text.getBytes(StandardCharsets.UTF_8);
        this.caseSensitive = caseSensitive;
    }

    public static FieldName of(String text) {
        return new FieldName(text, true);
    }

    /** A name written as {@code `name`i}: found in any spelling of upper and lower case, the exact one first. */
    public static FieldName ignoringCase(String text) {
        return new FieldName(text, false);
    }

    public String text() {
        return text;
    }

    public boolean caseSensitive() {
        return caseSensitive;
    }

    boolean matchesIgnoringCase(String name) {
        return name.toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT));
    }

    byte[] utf8() {
        return utf8;
    }
}
