package io.millrace.webguard;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host and the port after it, as in {@code Host} and in {@code Origin}.
 *
 * @param host in lower case, an IPv6 address in brackets
 * @param port -1 when there is none
 */
record Authority(String host, int port) {

    private static final Pattern FORM = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^\\[\\]:/@\\s]+)(?::([0-9]{0,5}))?");

    /** Returns null for a text that is not a host with an optional port. */
    static @Nullable Authority parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            return null;
        }
        String port = parts.group(2);
        return new Authority(
                parts.group(1).toLowerCase(Locale.ROOT), port == null || port.isEmpty() ? -1 : Integer.parseInt(port));
    }

    /** Returns the same with a port that is written out. */
    Authority withPort(int usual) {
        return port < 0 ? new Authority(host, usual) : this;
    }
}
