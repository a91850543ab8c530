package io.millrace.n1ql.analysis;

import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Place;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names that are visible at one place; unknown names are looked up in the outer scope. */
final class Scope {

    /** The kind of declaration of a name. */
    enum Kind {
        KEYSPACE,
        FROM,
        LET,
        VARIABLE,
        CTE,
        /** A parameter of a user-defined function. */
        PARAMETER,
        PROJECTION
    }

    /** A declaration; {@code metaSlot} holds the metadata of a document or the position of an element, or is -1. */
    record Meaning(Kind kind, Block block, int slot, int metaSlot, String name) {

        Expr ref() {
            return kind == Kind.PARAMETER ? new Expr.Param(name, Place.NONE) : block.ref(slot, name);
        }

        boolean isFrom() {
            return kind == Kind.KEYSPACE || kind == Kind.FROM;
        }
    }

    private final @Nullable Scope outer;
    private final Block block;
    private final Map<String, Meaning> names = new LinkedHashMap<>();
    private boolean clause;
    private @Nullable String preferred;
    private final Set<String> keyspacesByOwnName = new HashSet<>();

    private Scope(@Nullable Scope outer, Block block) {
        this.outer = outer;
        this.block = block;
    }

    /** Creates the scope of a frame. */
    static Scope of(@Nullable Scope outer, Block block) {
        return new Scope(outer, block);
    }

    /** Creates a scope for a part of a frame. */
    Scope nested() {
        Scope scope = new Scope(this, block);
        scope.clause = true;
        return scope;
    }

    Block block() {
        return block;
    }

    /** Makes unknown names fields of one term although there are several terms. */
    void prefer(String alias) {
        preferred = alias;
    }

    void add(Kind kind, String name, int slot, int metaSlot) {
        names.put(name, new Meaning(kind, block, slot, metaSlot, name));
    }

    /** Records that an alias is the name of its keyspace. */
    void isOwnName(String alias) {
        keyspacesByOwnName.add(alias);
    }

    /** Returns whether a name is a keyspace without alias: in a further FROM, it is the keyspace again. */
    boolean isKeyspaceByOwnName(String name) {
        if (names.containsKey(name)) {
            return keyspacesByOwnName.contains(name);
        }
        return outer != null && outer.isKeyspaceByOwnName(name);
    }

    @Nullable
    Meaning find(String name) {
        Meaning meaning = names.get(name);
        if (meaning != null) {
            return meaning;
        }
        return outer == null ? null : outer.find(name);
    }

    /** Finds a name in this frame only. */
    @Nullable
    Meaning findHere(String name) {
        Meaning meaning = names.get(name);
        if (meaning != null) {
            return meaning;
        }
        return clause && outer != null ? outer.findHere(name) : null;
    }

    /** Returns the terms of FROM in this frame, by alias. */
    Map<String, Meaning> fromTerms() {
        Map<String, Meaning> terms = clause && outer != null ? outer.fromTerms() : new LinkedHashMap<>();
        names.forEach((name, meaning) -> {
            if (meaning.isFrom()) {
                terms.put(name, meaning);
            }
        });
        return terms;
    }

    /** Returns the terms of the nearest FROM clause, or empty if the statement has none. */
    Map<String, Meaning> nearestFromTerms() {
        Meaning only = preferred == null ? null : find(preferred);
        if (only != null) {
            return Map.of(only.name(), only);
        }
        Map<String, Meaning> terms = fromTerms();
        Scope frame = this;
        while (frame.clause && frame.outer != null) {
            frame = frame.outer;
        }
        return terms.isEmpty() && frame.outer != null ? frame.outer.nearestFromTerms() : terms;
    }
}
