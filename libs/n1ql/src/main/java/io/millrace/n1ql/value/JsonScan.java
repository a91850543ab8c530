package io.millrace.n1ql.value;

import java.nio.charset.StandardCharsets;

/** Positions in JSON text: where a value ends, without making one. All but {@link #validEnd} take the text for valid. */
final class JsonScan {

    /** Deeper nesting is refused: reading it would need as deep a stack. */
    private static final int MAX_DEPTH = 512;

    private JsonScan() {}

    static int skipSpace(byte[] text, int at) {
        int i = at;
        while (i < text.length && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t')) {
            i++;
        }
        return i;
    }

    /** Returns the position behind the value that starts here. */
    static int skip(byte[] text, int start) {
        return switch (text[start]) {
            case '{', '[' -> skipNested(text, start);
            case '"' -> skipString(text, start);
            default -> skipPlain(text, start);
        };
    }

    private static int skipPlain(byte[] text, int start) {
        int i = start;
        while (i < text.length) {
            byte b = text[i];
            if (b == ',' || b == '}' || b == ']' || b <= ' ' && b >= 0) {
                break;
            }
            i++;
        }
        return i;
    }

    static int skipString(byte[] text, int start) {
        int i = start + 1;
        while (text[i] != '"') {
            i += text[i] == '\\' ? 2 : 1;
        }
        return i + 1;
    }

    private static int skipNested(byte[] text, int start) {
        int depth = 0;
        int i = start;
        while (true) {
            byte b = text[i];
            if (b == '"') {
                i = skipString(text, i);
                continue;
            }
            if (b == '{' || b == '[') {
                depth++;
            } else if (b == '}' || b == ']') {
                depth--;
                if (depth == 0) {
                    return i + 1;
                }
            }
            i++;
        }
    }

    /** Returns the text of the string between its quotation marks at {@code start} and {@code end - 1}. */
    static String string(byte[] text, int start, int end) {
        for (int i = start + 1; i < end - 1; i++) {
            if (text[i] == '\\') {
                return unescape(new String(text, start + 1, end - start - 2, StandardCharsets.UTF_8));
            }
        }
        return new String(text, start + 1, end - start - 2, StandardCharsets.UTF_8);
    }

    private static String unescape(String raw) {
        StringBuilder out = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escaped = raw.charAt(++i);
            switch (escaped) {
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 't' -> out.append('\t');
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'u' -> {
                    out.append((char) Integer.parseInt(raw.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> out.append(escaped);
            }
        }
        return out.toString();
    }

    /** Returns the position behind a text that is one valid JSON value with spaces around it, or -1. */
    static int validEnd(byte[] text) {
        int end = valid(text, skipSpace(text, 0), 0);
        return end >= 0 && skipSpace(text, end) == text.length ? end : -1;
    }

    private static int valid(byte[] text, int at, int depth) {
        if (at < 0 || at >= text.length || depth > MAX_DEPTH) {
            return -1;
        }
        return switch (text[at]) {
            case '{' -> validMembers(text, at, depth, true);
            case '[' -> validMembers(text, at, depth, false);
            case '"' -> validString(text, at);
            case 't' -> word(text, at, "true");
            case 'f' -> word(text, at, "false");
            case 'n' -> word(text, at, "null");
            default -> validNumber(text, at);
        };
    }

    private static int validMembers(byte[] text, int start, int depth, boolean object) {
        byte close = (byte) (object ? '}' : ']');
        int at = skipSpace(text, start + 1);
        if (at < text.length && text[at] == close) {
            return at + 1;
        }
        while (at < text.length) {
            if (object) {
                at = text[at] == '"' ? validString(text, at) : -1;
                at = at < 0 ? -1 : skipSpace(text, at);
                if (at < 0 || at >= text.length || text[at] != ':') {
                    return -1;
                }
                at = skipSpace(text, at + 1);
            }
            at = valid(text, at, depth + 1);
            at = at < 0 ? text.length : skipSpace(text, at);
            if (at >= text.length) {
                return -1;
            }
            if (text[at] == close) {
                return at + 1;
            }
            if (text[at] != ',') {
                return -1;
            }
            at = skipSpace(text, at + 1);
        }
        return -1;
    }

    private static int validString(byte[] text, int start) {
        for (int i = start + 1; i < text.length; i++) {
            byte b = text[i];
            if (b == '"') {
                return i + 1;
            }
            if (b >= 0 && b < ' ') {
                return -1;
            }
            if (b == '\\') {
                i++;
                if (i >= text.length || "\"\\/bfnrtu".indexOf(text[i]) < 0) {
                    return -1;
                }
                if (text[i] == 'u') {
                    for (int digit = 0; digit < 4; digit++) {
                        i++;
                        if (i >= text.length || Character.digit(text[i], 16) < 0) {
                            return -1;
                        }
                    }
                }
            }
        }
        return -1;
    }

    private static int word(byte[] text, int at, String word) {
        if (at + word.length() > text.length) {
            return -1;
        }
        for (int i = 0; i < word.length(); i++) {
            if (text[at + i] != word.charAt(i)) {
                return -1;
            }
        }
        return at + word.length();
    }

    private static int validNumber(byte[] text, int start) {
        int at = text[start] == '-' ? start + 1 : start;
        int digits = digits(text, at);
        if (digits == at || text[at] == '0' && digits > at + 1) {
            return -1;
        }
        at = digits;
        if (at < text.length && text[at] == '.') {
            digits = digits(text, at + 1);
            if (digits == at + 1) {
                return -1;
            }
            at = digits;
        }
        if (at < text.length && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            if (at < text.length && (text[at] == '+' || text[at] == '-')) {
                at++;
            }
            digits = digits(text, at);
            return digits == at ? -1 : digits;
        }
        return at;
    }

    private static int digits(byte[] text, int at) {
        int i = at;
        while (i < text.length && text[i] >= '0' && text[i] <= '9') {
            i++;
        }
        return i;
    }
}
