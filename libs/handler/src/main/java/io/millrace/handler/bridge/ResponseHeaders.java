package io.millrace.handler.bridge;

import io.millrace.handler.HandlerLimits;
import io.millrace.handler.WebResponse.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Value;

/** The headers that OnRequest returns: what HTTP allows, without those that belong to the server. */
final class ResponseHeaders {

    /** RFC 9110, section 5.6.2. */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Visible characters of Latin-1, blanks and tabs. */
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\xa0-\\xff]*");

    /**
     * How the message is framed, what the server says about itself, and what would change how a browser treats the other
     * pages of the same origin.
     */
    private static final Set<String> OF_THE_SERVER = Set.of(
            "alt-svc",
            "clear-site-data",
            "connection",
            "content-length",
            "content-security-policy",
            "date",
            "keep-alive",
            "proxy-authenticate",
            "proxy-connection",
            "public-key-pins",
            "server",
            "service-worker-allowed",
            "set-cookie",
            "strict-transport-security",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "www-authenticate",
            "x-content-type-options",
            "x-frame-options");

    private static final String CORS = "access-control-";

    private ResponseHeaders() {}

    /**
     * Reads an array of names and values in turn.
     *
     * @throws IllegalHeader for the first line that may not be sent
     */
    static List<Header> read(Value lines) throws IllegalHeader {
        List<Header> headers = new ArrayList<>();
        int chars = 0;
        for (long i = 0; i + 1 < lines.getArraySize(); i += 2) {
            Header header = new Header(
                    lines.getArrayElement(i).asString(),
                    lines.getArrayElement(i + 1).asString());
            check(header);
            chars += header.name().length() + header.value().length();
            if (chars > HandlerLimits.RESPONSE_HEADER_CHARS) {
                throw new IllegalHeader("OnRequest returned headers of more than %d characters"
                        .formatted(HandlerLimits.RESPONSE_HEADER_CHARS));
            }
            headers.add(header);
        }
        return headers;
    }

    private static void check(Header header) throws IllegalHeader {
        String lower = header.name().toLowerCase(Locale.ROOT);
        if (!NAME.matcher(header.name()).matches()) {
            throw new IllegalHeader("OnRequest returned the header \"%s\", which is not a name that HTTP allows"
                    .formatted(header.name()));
        }
        if (OF_THE_SERVER.contains(lower) || lower.startsWith(CORS)) {
            throw new IllegalHeader("OnRequest returned the header %s, which only the server sets".formatted(lower));
        }
        if (!VALUE.matcher(header.value()).matches()) {
            throw new IllegalHeader(
                    "OnRequest returned a value of the header %s with a character that HTTP does not allow"
                            .formatted(lower));
        }
    }

    /** Says in words what is wrong. */
    static final class IllegalHeader extends Exception {

        private static final long serialVersionUID = 1L;

        IllegalHeader(String message) {
            super(message, null, false, false);
        }

        String words() {
            return String.valueOf(getMessage());
        }
    }
}
