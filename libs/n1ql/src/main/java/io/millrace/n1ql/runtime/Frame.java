package io.millrace.n1ql.runtime;

import io.millrace.n1ql.value.Value;
import org.jspecify.annotations.Nullable;

/** The row of one block: values in slots, and the frame of the block around it. Belongs to one thread. */
public final class Frame {

    private final @Nullable Value[] slots;
    private final @Nullable Frame outer;
    private final Execution execution;

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
    }

    /** Sets a slot to what another row of the same block has there; to no value if that has none. */
    public void take(int slot, Frame other) {
        slots[slot] = other.slots[slot];
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
        return new Frame(slots.clone(), outer, execution);
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
