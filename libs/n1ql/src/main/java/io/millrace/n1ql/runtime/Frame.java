package io.millrace.n1ql.runtime;

import io.millrace.n1ql.value.Value;
import org.jspecify.annotations.Nullable;

/** The row of one block: values in slots, and the frame of the block around it. Belongs to one thread. */
public final class Frame {

    private final @Nullable Value[] slots;
    private final @Nullable Frame outer;
    private final Execution execution;
    /** The slots whose values are held elsewhere, as bits; of the first 64 slots. */
    private long shared;

    public Frame(int slots, @Nullable Frame outer, Execution execution) {
        this(new Value[slots], outer, execution);
    }

    private Frame(@Nullable Value[] slots, @Nullable Frame outer, Execution execution) {
        this.slots = slots;
        this.outer = outer;
        this.execution = execution;
    }

    public Value get(int slot) {
        Value value = slots[slot];
        return value == null ? Value.MISSING : value;
    }

    /** Returns the value of a slot, or null if it has none. */
    public @Nullable Value known(int slot) {
        return slots[slot];
    }

    public void set(int slot, Value value) {
        slots[slot] = value;
        shared &= ~bit(slot);
    }

    /**
     * Sets a slot to a value that is held and counted for longer than this row, as a row of a common table expression is. Who keeps
     * this row does not hold the value in addition.
     */
    public void share(int slot, Value value) {
        slots[slot] = value;
        shared |= bit(slot);
    }

    /** Returns whether the value of a slot is held elsewhere. */
    public boolean isShared(int slot) {
        return (shared & bit(slot)) != 0;
    }

    private static long bit(int slot) {
        return slot < Long.SIZE ? 1L << slot : 0;
    }

    /** Sets a slot to what another row of the same block has there; to no value if that has none. */
    public void take(int slot, Frame other) {
        slots[slot] = other.slots[slot];
        shared = shared & ~bit(slot) | other.shared & bit(slot);
    }

    /** Returns the values of all slots; null for a slot without one. Shared with this row. */
    public @Nullable Value[] values() {
        return slots;
    }

    /** Returns a row of the same block with other values. */
    public Frame with(@Nullable Value[] values) {
        return new Frame(values, outer, execution);
    }

    /** Returns a copy of this row. */
    public Frame copy() {
        Frame copy = new Frame(slots.clone(), outer, execution);
        copy.shared = shared;
        return copy;
    }

    /** Returns an empty row of the same block. */
    public Frame blank() {
        return new Frame(slots.length, outer, execution);
    }

    /** Returns the frame of the block that is this many levels out. */
    public Frame out(int steps) {
        Frame frame = this;
        for (int i = 0; i < steps; i++) {
            Frame next = frame.outer;
            if (next == null) {
                throw new IllegalStateException("no frame");
            }
            frame = next;
        }
        return frame;
    }

    public Execution execution() {
        return execution;
    }
}
