package io.millrace.n1ql.function.text;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.CancellableText;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Functions of regular expressions (RE2's syntax, linear time), and of the bounds of matching texts. */
final class RegexpFunctions {

    private static final String SPECIAL = "\\.+*?()|[]{}^$";

    private static final String NAME_OF_REPLACE = "REGEXP_REPLACE()";

    private RegexpFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(
                2,
                2,
                matching((text, pattern, context) ->
                        Value.of(CancellableText.matcher(pattern, text, context).find())),
                "regexp_contains",
                "regex_contains",
                "contains_regexp",
                "contains_regex");
        registrar.add(
                2,
                2,
                matching((text, pattern, context) ->
                        Value.of(CancellableText.matcher(pattern, text, context).matches())),
                "regexp_like",
                "regex_like");
        registrar.add(
                2,
                2,
                position(0),
                "regexp_position",
                "regexp_pos",
                "regexp_position0",
                "regexp_pos0",
                "regex_position",
                "regex_pos",
                "regex_position0",
                "regex_pos0");
        registrar.add(2, 2, position(1), "regexp_position1", "regexp_pos1", "regex_position1", "regex_pos1");
        registrar.add(3, 4, RegexpFunctions::replace, "regexp_replace", "regex_replace");
        registrar.add(2, 2, matching(RegexpFunctions::matches), "regexp_matches", "regex_matches");
        registrar.add(2, 2, matching(RegexpFunctions::split), "regexp_split", "regex_split");
        registrar.add(1, 1, Args.ofString(text -> Value.of(regexpPrefix(text))), "regexp_prefix");
        registrar.add(
                1,
                1,
                Args.ofString(
                        text -> stop(regexpPrefix(text), regexpPrefix(text).equals(text))),
                "regexp_stop");
        registrar.add(1, 1, Args.ofString(text -> Value.of(regexpSuffix(text))), "regexp_suffix");
        registrar.add(1, 1, Args.ofString(text -> Value.of(Like.prefix(text))), "like_prefix");
        registrar.add(1, 1, Args.ofString(text -> stop(Like.prefix(text), Like.isExact(text))), "like_stop");
        registrar.add(1, 1, Args.ofString(text -> Value.of(likeSuffix(text))), "like_suffix");
    }

    /** Computes something of a text and a pattern. */
    private interface Matching {
        Value apply(String text, Pattern pattern, FunctionContext context);
    }

    private static FunctionSpec.Body matching(Matching body) {
        return (args, context) -> args[0] instanceof StringValue text && args[1] instanceof StringValue regex
                ? body.apply(text.text(), pattern(text, regex, context), context)
                : Args.unknown(args);
    }

    private static Pattern pattern(StringValue text, StringValue regex, FunctionContext context) {
        Pattern pattern = Args.pattern(regex.text(), context);
        Bounds.work(text.text().length(), pattern.programSize(), "a regular expression");
        return pattern;
    }

    private static FunctionSpec.Body position(int first) {
        return matching((text, pattern, context) -> {
            Matcher matcher = CancellableText.matcher(pattern, text, context);
            return Value.of(
                    matcher.find() ? Args.utf8(text.substring(0, matcher.start())).length + (long) first : first - 1L);
        });
    }

    private static Value replace(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue text)
                || !(args[1] instanceof StringValue regex)
                || !(args[2] instanceof StringValue replacement)
                || args.length > 3 && Args.whole(args[3]) == null) {
            return Args.unknown(args);
        }
        long limit = args.length > 3 ? ((NumberValue) args[3]).longValue() : -1;
        Matcher matcher = CancellableText.matcher(pattern(text, regex, context), text.text(), context);
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (limit != 0 && findNext(matcher, at)) {
            context.check();
            Bounds.length((long) out.length() + (matcher.start() - at), NAME_OF_REPLACE);
            out.append(text.text(), at, matcher.start());
            expand(replacement.text(), matcher, out);
            at = matcher.end();
            limit--;
        }
        return Value.of(out.append(text.text().substring(at)).toString());
    }

    /** Finds the next match; an empty one right behind the match before does not count. */
    private static boolean findNext(Matcher matcher, int lastEnd) {
        while (matcher.find()) {
            if (matcher.end() > lastEnd || matcher.start() == 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@code $1}, <code>${1}</code>, {@code $name} and <code>${name}</code> stand for groups, {@code $$} for a dollar, as
     * does one without a name behind it.
     */
    private static void expand(String replacement, Matcher matcher, StringBuilder out) {
        for (int i = 0; i < replacement.length(); i++) {
            Bounds.length(out.length() + 1L, NAME_OF_REPLACE);
            char c = replacement.charAt(i);
            if (c != '$' || i + 1 == replacement.length()) {
                out.append(c);
                continue;
            }
            if (replacement.charAt(i + 1) == '$') {
                out.append('$');
                i++;
                continue;
            }
            boolean braces = replacement.charAt(i + 1) == '{';
            int start = braces ? i + 2 : i + 1;
            int end = start;
            while (end < replacement.length() && isOfName(replacement.charAt(end))) {
                end++;
            }
            if (end == start || braces && (end == replacement.length() || replacement.charAt(end) != '}')) {
                out.append('$');
                continue;
            }
            String found = group(replacement.substring(start, end), matcher);
            Bounds.length((long) out.length() + found.length(), NAME_OF_REPLACE);
            out.append(found);
            i = braces ? end : end - 1;
        }
    }

    private static boolean isOfName(char c) {
        return c == '_' || Character.isLetterOrDigit(c);
    }

    /** Returns what a group has matched; nothing for a group that does not exist. */
    private static String group(String name, Matcher matcher) {
        Integer number = name.matches("[0-9]{1,4}")
                ? Integer.valueOf(name)
                : matcher.pattern().namedGroups().get(name);
        String found = number != null && number <= matcher.groupCount() ? matcher.group(number) : null;
        return found == null ? "" : found;
    }

    private static Value matches(String text, Pattern pattern, FunctionContext context) {
        List<String> found = new ArrayList<>();
        Matcher matcher = CancellableText.matcher(pattern, text, context);
        for (int at = 0; findNext(matcher, at); at = matcher.end()) {
            context.check();
            found.add(matcher.group());
        }
        return ArrayValue.ofStrings(found);
    }

    private static Value split(String text, Pattern pattern, FunctionContext context) {
        List<String> parts = new ArrayList<>();
        Matcher matcher = CancellableText.matcher(pattern, text, context);
        int at = 0;
        while (matcher.find()) {
            context.check();
            if (matcher.end() > matcher.start() || matcher.start() > at && matcher.start() < text.length()) {
                parts.add(text.substring(at, matcher.start()));
                at = matcher.end();
            }
        }
        parts.add(text.substring(at));
        return ArrayValue.ofStrings(parts);
    }

    private static String regexpPrefix(String regex) {
        int end = 0;
        while (end < regex.length() && SPECIAL.indexOf(regex.charAt(end)) < 0) {
            end++;
        }
        // a character that is optional or may be repeated is not part of the prefix
        boolean optional = end > 0 && end < regex.length() && "*?{".indexOf(regex.charAt(end)) >= 0;
        return regex.substring(0, optional ? end - 1 : end);
    }

    private static String regexpSuffix(String regex) {
        int start = regex.length();
        while (start > 0 && SPECIAL.indexOf(regex.charAt(start - 1)) < 0) {
            start--;
        }
        return regex.substring(start);
    }

    private static String likeSuffix(String like) {
        int start = like.length();
        while (start > 0 && "%_\\".indexOf(like.charAt(start - 1)) < 0) {
            start--;
        }
        return like.substring(start);
    }

    /** Returns the least text that is greater than all matches. */
    private static Value stop(String prefix, boolean exact) {
        if (exact) {
            return Value.of(prefix + '\0');
        }
        String end = following(prefix);
        return end == null ? Value.EMPTY_ARRAY : Value.of(end);
    }

    private static @org.jspecify.annotations.Nullable String following(String prefix) {
        for (int i = prefix.length() - 1; i >= 0; i--) {
            char c = prefix.charAt(i);
            if (c < Character.MIN_SURROGATE - 1) {
                return prefix.substring(0, i) + (char) (c + 1);
            }
        }
        return null;
    }
}
