package io.millrace.n1ql.function.object;

import com.google.re2j.Pattern;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Selects the paths of a document for functions of nested fields. Options: {@code pattern}, a plain text if {@code
 * regex} is false, to match completely with {@code exact}; {@code patternspace} "field" matches each name of a path,
 * "path" the whole path; {@code ignorecase}; {@code composites}; {@code arraysubscript}; {@code index} for index keys.
 */
final class PathFilter {

    private final @Nullable Pattern pattern;
    private final boolean eachField;
    private final boolean ignoreCase;
    private final boolean forIndex;
    private final boolean composites;

    PathFilter(Value options, boolean compositesByDefault, FunctionContext context) {
        this.ignoreCase = Args.flag(options, "ignorecase", false);
        this.eachField = "field".equals(Args.text(Args.option(options, "patternspace")));
        this.forIndex = Args.flag(options, "index", false);
        this.composites = !forIndex && Args.flag(options, "composites", compositesByDefault);
        this.pattern = pattern(options, context);
    }

    private @Nullable Pattern pattern(Value options, FunctionContext context) {
        if (!(Args.option(options, "pattern") instanceof StringValue text)
                || text.text().isEmpty()) {
            return null;
        }
        String regex = Args.flag(options, "regex", true) ? text.text() : Pattern.quote(text.text());
        if (Args.flag(options, "exact", false)) {
            regex = (regex.startsWith("^") ? "" : "^") + regex + "$";
        }
        return Args.pattern(ignoreCase ? regex.toLowerCase(Locale.ROOT) : regex, context);
    }

    boolean composites() {
        return composites;
    }

    boolean forIndex() {
        return forIndex;
    }

    boolean takes(String path) {
        if (pattern == null) {
            return true;
        }
        String text = ignoreCase ? path.toLowerCase(Locale.ROOT) : path;
        if (!eachField) {
            return pattern.matcher(text).find();
        }
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            boolean end = i == text.length();
            if (!end && text.charAt(i) == '`') {
                quoted = !quoted;
            }
            if (end || !quoted && text.charAt(i) == '.') {
                if (i > start && pattern.matcher(text.substring(start, i)).find()) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }

    /** Returns a field's name as it is written in a path. */
    String spelled(String name) {
        boolean plain = true;
        for (int i = 0; i < name.length(); i++) {
            plain &= " \t.`".indexOf(name.charAt(i)) < 0;
        }
        return plain && !forIndex ? name : "`" + name.replace("`", "\\u0060") + "`";
    }
}
