package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.TreeMapper;
import io.millrace.n1ql.value.StringValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An index key with an entry {@code [name, value]} for each field: {@code DISTINCT PAIRS(SELF)}, or PAIRS of a part of the
 * document or of an object of such parts. A condition on a field limits the entries of its name.
 */
final class AdaptiveKey {

    private static final String PAIRS = "pairs";

    /** Conditions on more fields do not make more candidates, each of which a run would count. */
    private static final int MOST_FIELDS = 8;

    /** A field that conditions name, and the name that its entries have. */
    record Field(Expr path, String name) {}

    /** A part of the document that has entries; the name is null if only the fields below it have. */
    private record Part(Expr expr, @Nullable String name) {}

    private final List<Part> parts;

    private AdaptiveKey(List<Part> parts) {
        this.parts = parts;
    }

    static boolean isPairs(Expr expr) {
        return expr instanceof Expr.Call call
                && call.name().toLowerCase(Locale.ROOT).equals(PAIRS)
                && call.args().size() == 1;
    }

    /** @param key in the form of {@link DocumentShape}; returns null if fields cannot be looked up by it */
    static @Nullable AdaptiveKey of(Expr key) {
        if (!isPairs(key)) {
            return null;
        }
        Expr source = ((Expr.Call) key).args().getFirst();
        List<Part> parts = source instanceof Expr.ObjectLiteral object ? members(object) : whole(source);
        return parts.isEmpty() ? null : new AdaptiveKey(parts);
    }

    private static List<Part> whole(Expr source) {
        boolean known = source.equals(DocumentShape.DOCUMENT) || DocumentShape.path(source) != null;
        return known ? List.of(new Part(source, null)) : List.of();
    }

    /** Of two members of a name, the object has one only, so neither is looked up. */
    private static List<Part> members(Expr.ObjectLiteral object) {
        List<Part> parts = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Expr.Member member : object.members()) {
            if (!(member.name() instanceof Expr.Literal literal)
                    || !(literal.value() instanceof StringValue name)
                    || !names.add(name.text())) {
                return List.of();
            }
            parts.add(new Part(member.value(), name.text()));
        }
        return parts;
    }

    /** Returns the fields in conditions for whose values there are entries. */
    List<Field> fields(List<Expr> conditions, DocumentShape shape) {
        Map<Expr, String> found = new LinkedHashMap<>();
        TreeMapper search = new TreeMapper() {
            @Override
            public Expr map(Expr expr) {
                String name = name(expr);
                if (name == null) {
                    return children(expr);
                }
                found.put(expr, name);
                return expr;
            }
        };
        conditions.forEach(condition -> search.map(shape.map(condition)));
        return found.entrySet().stream()
                .limit(MOST_FIELDS)
                .map(entry -> new Field(entry.getKey(), entry.getValue()))
                .toList();
    }

    private @Nullable String name(Expr expr) {
        for (Part part : parts) {
            if (part.name() != null && part.expr().equals(expr)) {
                return part.name();
            }
            if (isBelow(expr, part.expr())) {
                return ((Expr.Field) expr).name();
            }
        }
        return null;
    }

    /** Returns whether an expression is a field of another one, or of its fields. */
    private static boolean isBelow(Expr expr, Expr above) {
        Expr rest = expr;
        while (rest instanceof Expr.Field field && !field.ignoreCase()) {
            rest = field.base();
            if (rest.equals(above)) {
                return true;
            }
        }
        return false;
    }
}
