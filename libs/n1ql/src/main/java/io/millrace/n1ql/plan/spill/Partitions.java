package io.millrace.n1ql.plan.spill;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.value.Value;
import org.jspecify.annotations.Nullable;

/** Rows in several files by the hash of a key: those with the same key are in the same file. */
public final class Partitions implements AutoCloseable {

    public static final int NUMBER = 16;

    /** A partition of a partition, and so on; more do not help if many rows have the same key. */
    public static final int MOST_LEVELS = 4;

    private final SpillFile[] files = new SpillFile[NUMBER];
    private final int level;

    /** @param level how often the rows have been divided before */
    public Partitions(Execution execution, int level) {
        this.level = level;
        for (int i = 0; i < NUMBER; i++) {
            files[i] = new SpillFile(execution);
        }
    }

    /** Returns the partition of a key by its hash; each level takes another part of the hash. */
    public static int of(int hash, int level) {
        int mixed = hash * 0x9E3779B9;
        mixed ^= mixed >>> 15;
        return mixed >>> 4 * level & NUMBER - 1;
    }

    public void write(int hash, @Nullable Value[] row) {
        files[of(hash, level)].write(row);
    }

    /** Reads a partition, as often as it is wanted; nothing may be written any more. */
    public Cursor<@Nullable Value[]> read(int partition) {
        return files[partition].read();
    }

    /** Gives back the space of a partition. */
    public void close(int partition) {
        files[partition].close();
    }

    @Override
    public void close() {
        for (SpillFile file : files) {
            file.close();
        }
    }
}
