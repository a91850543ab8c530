package io.millrace.n1ql.analysis;

import io.millrace.n1ql.syntax.Expr.Ref;
import java.util.BitSet;

/** The frame of a query or statement while slots are assigned. */
final class Block {

    private final int id;
    private final BitSet used = new BitSet();
    private int slots;

    Block(int id) {
        this.id = id;
    }

    int id() {
        return id;
    }

    int newSlot() {
        return slots++;
    }

    int slots() {
        return slots;
    }

    Ref ref(int slot, String name) {
        used.set(slot);
        return new Ref(id, slot, name);
    }

    /** Returns the slots that expressions read. */
    BitSet used() {
        return used;
    }
}
