package io.millrace.n1ql.runtime;

/** What one part of a run holds. Used by the thread of the run. */
public final class HeldBytes implements AutoCloseable {

    private final Execution execution;
    private long bytes;

    public HeldBytes(Execution execution) {
        this.execution = execution;
    }

    /**
     * Returns what is held for a value that is computed for one row after the other: nothing, because the next value takes the
     * place of the one before. What the last one holds is held until the run ends.
     *
     * @param key the same for all of these values
     */
    public static HeldBytes ofNext(Object key, Execution execution) {
        HeldBytes held = (HeldBytes) execution.memo(key, known -> known == null ? new HeldBytes(execution) : known);
        held.close();
        return held;
    }

    /** Records that so many bytes more are held; ends the run if it holds too many. */
    public void add(long more) {
        bytes += more;
        execution.hold(more);
    }

    public long bytes() {
        return bytes;
    }

    /** Records that nothing is held any more. More may be added after that. */
    @Override
    public void close() {
        long released = bytes;
        bytes = 0;
        execution.hold(-released);
    }
}
