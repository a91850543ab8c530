package io.millrace.memcached.sasl;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of a SCRAM message: {@code a=...,b=...}. */
final class ScramMessage {

    private final Map<Character, String> attributes;

    private ScramMessage(Map<Character, String> attributes) {
        this.attributes = attributes;
    }

    /** Parses a message; returns null if it is malformed. */
    static @Nullable ScramMessage parse(String text) {
        Map<Character, String> attributes = new LinkedHashMap<>();
        for (String attribute : text.split(",", -1)) {
            if (attribute.length() < 2 || attribute.charAt(1) != '=' || !letter(attribute.charAt(0))) {
                return null;
            }
            if (attributes.put(attribute.charAt(0), attribute.substring(2)) != null) {
                return null;
            }
        }
        return new ScramMessage(attributes);
    }

    private static boolean letter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    @Nullable
    String get(char name) {
        return attributes.get(name);
    }

    /** Returns the Base64-decoded bytes of an attribute, or null if it is missing or malformed. */
    byte @Nullable [] bytes(char name) {
        String text = attributes.get(name);
        if (text == null) {
            return null;
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Escapes a name for a message. */
    static String escape(String name) {
        return name.replace("=", "=3D").replace(",", "=2C");
    }

    /** Unescapes a name; returns null if it contains an equals sign that is not an escape. */
    static @Nullable String unescape(String written) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c != '=') {
                name.append(c);
            } else if (written.startsWith("2C", i + 1)) {
                name.append(',');
                i += 2;
            } else if (written.startsWith("3D", i + 1)) {
                name.append('=');
                i += 2;
            } else {
                return null;
            }
        }
        return name.toString();
    }
}
