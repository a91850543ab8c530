package io.millrace.eventing.producer;

import java.time.Duration;

/**
 * When a function has to save its checkpoints, and to note what it has reached: at regular intervals, while there is something new.
 * One thread takes what is due; any may ask.
 */
final class SaveTimes {

    private final long intervalNanos;
    private volatile long saveAt;
    private volatile long noteAt;

    /** Whether anything was handled since the latest note. */
    private volatile boolean handled;

    SaveTimes(Duration interval) {
        this.intervalNanos = interval.toNanos();
    }

    /** Begins now: the first save is due after an interval. */
    void begin() {
        saveAt = System.nanoTime() + intervalNanos;
        noteAt = System.nanoTime();
    }

    /** Notes that an event was handled. */
    void handled() {
        handled = true;
    }

    /** Returns whether nothing was handled since the latest note. */
    boolean atRest() {
        return !handled;
    }

    /** @param moved whether what is reached may not be saved */
    boolean due(boolean moved) {
        return isSaveDue(moved) || isNoteDue();
    }

    /** Returns whether a save is due, and makes the next one due after an interval. */
    boolean takeSave(boolean moved) {
        boolean due = isSaveDue(moved);
        if (due) {
            saveAt = System.nanoTime() + intervalNanos;
        }
        return due;
    }

    boolean takeNote() {
        boolean due = isNoteDue();
        if (due) {
            handled = false;
            noteAt = System.nanoTime() + Milestones.EVERY.toNanos();
        }
        return due;
    }

    private boolean isSaveDue(boolean moved) {
        return moved && System.nanoTime() - saveAt >= 0;
    }

    private boolean isNoteDue() {
        return handled && System.nanoTime() - noteAt >= 0;
    }
}
