package io.millrace.n1ql.analysis;

import io.millrace.n1ql.syntax.Expr;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What names mean at one place; asks the scope around it for what it does not know. */
final class Scope {

    /** Where a name comes from. */
    enum Kind {
        KEYSPACE,
        FROM,
        LET,
        VARIABLE,
        CTE,
        PROJECTION
    }

    /** A name's meaning; {@code metaSlot} is that of what belongs to a value: the metadata of a document, the position of an element; -1 where there is none. */
    record Meaning(Kind kind, Block block, int slot, int metaSlot, String name) {

        Expr ref() {
            return block.ref(slot, name);
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

    /** The scope of a frame. */
    static Scope of(@Nullable Scope outer, Block block) {
        return new Scope(outer, block);
    }

    /** A scope for what is known in a part of a frame alone. */
    Scope nested() {
        Scope scope = new Scope(this, block);
        scope.clause = true;
        return scope;
    }

    Block block() {
        return block;
    }

    /** Makes names that mean nothing else fields of one term although there are several. */
    void prefer(String alias) {
        preferred = alias;
    }

    void add(Kind kind, String name, int slot, int metaSlot) {
        names.put(name, new Meaning(kind, block, slot, metaSlot, name));
    }

    /** Notes that an alias is the name of its keyspace. */
    void isOwnName(String alias) {
        keyspacesByOwnName.add(alias);
    }

    /** True when a name means a keyspace that has no other name: said again in FROM it is the keyspace once more. */
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

    /** Returns the terms of the nearest FROM clause; empty when there is none up to the statement. */
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
