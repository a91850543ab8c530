package io.millrace.n1ql.syntax;

import org.jspecify.annotations.Nullable;

/** Derives the name of an expression without an alias. */
public final class Aliases {

    private Aliases() {}

    /** Returns the last name of a path, or null for anything else. */
    public static @Nullable String implied(Expr expr) {
        return switch (expr) {
            case Expr.Name name -> name.name();
            case Expr.Ref ref -> ref.name();
            case Expr.Field field -> field.name();
            case Expr.DynamicField field -> implied(field.name());
            default -> null;
        };
    }
}
