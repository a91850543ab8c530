package io.millrace.n1ql.function;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What EXCLUDE leaves out of a result, as paths from its root. A path is an array of the names of fields and of positions in
 * arrays.
 */
public final class Exclusions {

    private static final Pattern STEP =
            Pattern.compile("\\s*(?:(\\.?)\\s*(?:`([^`]+)`|([^.,`\\[\\]\\s]+))|\\[\\s*(-?\\d{1,9})\\s*])\\s*");

    private Exclusions() {}

    /**
     * Returns the paths of a text, which are separated by commas.
     *
     * @param roots see {@link #fromRoot}
     */
    public static List<ArrayValue> of(Value text, List<String> roots) {
        if (!(text instanceof StringValue paths)) {
            throw QueryException.of(
                    ErrorCode.EVALUATION,
                    "EXCLUDE expects paths, or texts of them such as 'a, b.c', not "
                            + text.type().label());
        }
        List<ArrayValue> found = new ArrayList<>();
        List<Value> path = new ArrayList<>();
        String left = paths.text();
        Matcher step = STEP.matcher(left);
        int at = 0;
        while (at < left.length() && step.region(at, left.length()).lookingAt()) {
            boolean dot = step.group(1) != null && !step.group(1).isEmpty();
            boolean position = step.group(4) != null;
            if (position ? path.isEmpty() : dot == path.isEmpty()) {
                break;
            }
            path.add(position ? Value.of(Long.parseLong(step.group(4))) : Value.of(name(step)));
            at = step.end();
            if (at < left.length() && left.charAt(at) == ',') {
                found.add(fromRoot(path, roots));
                path.clear();
                at++;
            }
        }
        if (at < left.length() || path.isEmpty()) {
            throw QueryException.of(
                    ErrorCode.EVALUATION,
                    "EXCLUDE expects texts of paths such as 'a, b.c, d[0].e', not '" + left + "'");
        }
        found.add(fromRoot(path, roots));
        return found;
    }

    private static String name(Matcher step) {
        return step.group(2) == null ? step.group(3) : step.group(2);
    }

    /**
     * Returns a path from the root of the result: {@code *} returns documents under their alias, {@code t.*} returns their
     * fields.
     *
     * @param roots the aliases of stars, those of {@code t.*} behind a dot
     */
    public static ArrayValue fromRoot(List<Value> path, List<String> roots) {
        String first = path.getFirst() instanceof StringValue name ? name.text() : "";
        if (path.size() > 1 && roots.contains("." + first)) {
            return ArrayValue.of(List.copyOf(path.subList(1, path.size())));
        }
        List<String> documents =
                roots.stream().filter(alias -> !alias.startsWith(".")).toList();
        if (documents.size() == 1 && !documents.contains(first)) {
            List<Value> longer = new ArrayList<>();
            longer.add(Value.of(documents.getFirst()));
            longer.addAll(path);
            return ArrayValue.of(longer);
        }
        return ArrayValue.of(List.copyOf(path));
    }
}
