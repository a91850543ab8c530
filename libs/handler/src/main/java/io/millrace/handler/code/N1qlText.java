package io.millrace.handler.code;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** The text of statements, read as far as needed to know what is quoted and what is not. */
final class N1qlText {

    /** In the first design a variable may stand in quotation marks. */
    private static final Pattern QUOTED_VARIABLE = Pattern.compile("(['\"])(:[A-Za-z_$][\\w$]*)\\1");

    private N1qlText() {}

    /** Returns the end of the token at a position: a string, a quoted name, a comment, or a single character. */
    static int skip(String text, int at) {
        char c = text.charAt(at);
        if (c == '"' || c == '\'' || c == '`') {
            return quoteEnd(text, at);
        }
        if (text.startsWith("/*", at)) {
            return StatementFinder.skipTo(text, "*/", at + 2);
        }
        if (c == '#' || text.startsWith("--", at)) {
            return StatementFinder.lineEnd(text, at);
        }
        return at + 1;
    }

    private static int quoteEnd(String text, int from) {
        char quote = text.charAt(from);
        int i = from + 1;
        while (i < text.length()) {
            if (text.charAt(i) == quote) {
                if (i + 1 == text.length() || text.charAt(i + 1) != quote) {
                    return i + 1;
                }
                i++;
            } else if (text.charAt(i) == '\\' && quote != '`') {
                i++;
            }
            i++;
        }
        return text.length();
    }

    /** Returns the names that stand behind a sigil outside of quotation marks and comments. */
    static Set<String> names(String text, char sigil) {
        Set<String> names = new LinkedHashSet<>();
        for (int at = 0; at < text.length(); ) {
            if (text.charAt(at) == sigil) {
                int end = at + 1;
                while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
                    end++;
                }
                names.add(text.substring(at + 1, end));
                at = end;
            } else {
                at = skip(text, at);
            }
        }
        return names;
    }

    /** Returns a text of the same length in which variables are not in quotation marks. */
    static String unquotedVariables(String text) {
        return QUOTED_VARIABLE.matcher(text).replaceAll(" $2 ");
    }
}
