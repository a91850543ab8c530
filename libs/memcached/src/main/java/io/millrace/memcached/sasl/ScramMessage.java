package io.millrace.memcached.sasl;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of one SCRAM message: {@code a=...,b=...}. */
final class ScramMessage {

    private final Map<Character, String> attributes;

    private ScramMessage(Map<Character, String> attributes) {
        this.attributes = attributes;
    }

    /** Returns the message, or null when it is not of that form. */
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

    /** Returns the bytes that an attribute holds in Base64, or null. */
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

    /** Returns a name as it is written in a message. */
    static String escape(String name) {
        return name.replace("=", "=3D").replace(",", "=2C");
    }

    /** Returns the name that was written so, or null when an equals sign stands alone. */
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
