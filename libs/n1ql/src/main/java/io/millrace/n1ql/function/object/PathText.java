package io.millrace.n1ql.function.object;

import io.millrace.n1ql.value.FieldName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses paths: names, names in backticks (case-insensitive if {@code i} follows), and {@code [index]}. */
final class PathText {

    private final String text;
    private final List<Object> steps = new ArrayList<>();
    private int at;

    private PathText(String text) {
        this.text = text;
    }

    /** Returns the steps, each a {@link FieldName} or an Integer, or null if the text is not a path. */
    static @Nullable List<Object> parse(String text) {
        PathText path = new PathText(text.strip());
        return path.read() ? path.steps : null;
    }

    private boolean read() {
        if (text.isEmpty()) {
            return false;
        }
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean fits;
            if (c == '[') {
                fits = index();
            } else if (c == '.' && !steps.isEmpty()) {
                at++;
                fits = at < text.length() && name();
            } else {
                fits = steps.isEmpty() && name();
            }
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private boolean index() {
        int close = text.indexOf(']', at);
        if (close < 0 || !text.substring(at + 1, close).strip().matches("-?[0-9]{1,9}")) {
            return false;
        }
        steps.add(Integer.valueOf(text.substring(at + 1, close).strip()));
        at = close + 1;
        return true;
    }

    private boolean name() {
        if (text.charAt(at) == '`') {
            int close = text.indexOf('`', at + 1);
            if (close < 0) {
                return false;
            }
            String name = text.substring(at + 1, close);
            at = close + 1;
            boolean anyCase = at < text.length() && text.charAt(at) == 'i';
            at += anyCase ? 1 : 0;
            steps.add(anyCase ? FieldName.ignoringCase(name) : FieldName.of(name));
            return true;
        }
        int end = at;
        while (end < text.length()
                && (Character.isLetterOrDigit(text.charAt(end)) || "_$".indexOf(text.charAt(end)) >= 0)) {
            end++;
        }
        if (end == at) {
            return false;
        }
        steps.add(FieldName.of(text.substring(at, end)));
        at = end;
        return true;
    }
}
