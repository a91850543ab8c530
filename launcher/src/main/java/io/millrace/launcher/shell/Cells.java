package io.millrace.launcher.shell;

import java.util.Locale;
import org.jline.utils.AttributedString;
import org.jline.utils.WCWidth;
import tools.jackson.databind.JsonNode;

/** The text of values in tables, and its width on the screen. */
final class Cells {

    private static final int ZERO_WIDTH_JOINER = 0x200D; // joins emoji

    private Cells() {}

    /** Returns the text of a value: that of a string without quotes, nothing for a missing field, else JSON. */
    static String text(JsonNode value) {
        return value.isMissingNode() ? "" : value.isString() ? value.asString() : value.toString();
    }

    /** Returns the text on one line. Control characters, which a terminal would obey, are shown as escapes. */
    static String printable(String text) {
        if (text.chars().noneMatch(Cells::isControl)) {
            return text;
        }
        StringBuilder line = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\n', '\t' -> line.append(' ');
                case '\r' -> {}
                default -> {
                    if (isControl(c)) {
                        line.append(String.format(Locale.ROOT, "\\u%04x", c));
                    } else {
                        line.appendCodePoint(c);
                    }
                }
            }
        });
        return line.toString();
    }

    private static boolean isControl(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL || (type == Character.FORMAT && c != ZERO_WIDTH_JOINER);
    }

    /** Returns the columns of a terminal that the text takes; an East Asian character takes two. */
    static int width(String text) {
        return text.codePoints().map(c -> Math.max(0, WCWidth.wcwidth(c))).sum();
    }

    /** Returns the text in exactly {@code width} columns: truncated with dots, or padded. */
    static String fit(String text, int width, boolean right) {
        String shown = width(text) <= width ? text : truncate(text, width);
        String padding = " ".repeat(Math.max(0, width - width(shown)));
        return right ? padding + shown : shown + padding;
    }

    private static String truncate(String text, int width) {
        String dots = width > 3 ? "..." : ".".repeat(width);
        return new AttributedString(text).columnSubSequence(0, width - dots.length()) + dots;
    }
}
