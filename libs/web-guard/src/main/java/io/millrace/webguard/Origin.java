package io.millrace.webguard;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The origin of a page: a scheme, a host and a port, always written out. */
record Origin(String scheme, Authority authority) {

    private static final Pattern FORM = Pattern.compile("(https?)://(.+)", Pattern.CASE_INSENSITIVE);

    /** Returns null for {@code null}, which is what a page without an origin sends, and for all that is not an origin. */
    static @Nullable Origin parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            return null;
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        Authority authority = Authority.parse(parts.group(2));
        return authority == null ? null : new Origin(scheme, authority.withPort(usualPort(scheme)));
    }

    private static int usualPort(String scheme) {
        return scheme.equals("https") ? 443 : 80;
    }

    /**
     * Returns whether a page of this origin has sent the request to its own server. A proxy that terminates TLS changes
     * the scheme, so host and port alone are compared.
     */
    boolean isOf(String host) {
        Authority addressed = Authority.parse(host);
        return addressed != null && addressed.withPort(usualPort(scheme)).equals(authority);
    }
}
