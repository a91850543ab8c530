package io.millrace.n1ql.runtime;

import io.millrace.n1ql.QueryException;
import org.jspecify.annotations.Nullable;

/** How much of the heap and of files a run holds. What a run inside of it holds counts for both. */
final class Holdings {

    private final Memory memory;
    private final @Nullable Holdings around;
    private volatile long held;
    private long spilled;

    Holdings(Memory memory, @Nullable Holdings around) {
        this.memory = memory;
        this.around = around;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // written by the thread that runs the statement alone
    void hold(long bytes) {
        held += bytes;
        if (around != null) {
            around.hold(bytes);
        } else if (bytes > 0 && held > memory.heldBytes()) {
            throw QueryException.holdsTooMuch(memory.heldBytes());
        }
    }

    long held() {
        return held;
    }

    void countSpilled(long bytes) {
        spilled += bytes;
        if (around != null) {
            around.countSpilled(bytes);
        } else if (bytes > 0 && spilled > memory.spilledBytes()) {
            throw QueryException.noSpill(
                    "the files of the statement would have more than " + (memory.spilledBytes() >> 20) + " MiB");
        }
    }
}
