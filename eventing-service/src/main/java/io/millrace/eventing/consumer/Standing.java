package io.millrace.eventing.consumer;

import org.jspecify.annotations.Nullable;

/**
 * Whether a consumer may share a process with others. Not thread-safe, but for {@link #maySend}.
 *
 * <pre>
 *            its process died for unknown reasons, and  its turn came, and the
 *            it was starting or had events in flight    process died again
 *  TRUSTED -----------------------------------------> SUSPECT ----------------> CONVICTED
 *     ^ |           these events are acknowledged        |                        ^
 *     | +------------------------------------------------+                        |
 *     |   it took its process with it, or kept the most of a full one           |
 *     +---------------------------------------------------------------------------+
 * </pre>
 *
 * A convicted consumer keeps a process of its own until the function is deployed again.
 */
final class Standing {

    private final Suspects suspects;
    private final Placement usual;
    private final Runnable turnCame;
    private volatile Suspects.@Nullable Turn turn;
    private boolean startsInTurn;
    private volatile String convictedFor = "";
    private volatile String waitsFor = "";

    /** @param turnCame called on another thread when this consumer may send, or start */
    Standing(Suspects suspects, Placement usual, Runnable turnCame) {
        this.suspects = suspects;
        this.usual = usual;
        this.turnCame = turnCame;
    }

    Placement placement() {
        return convictedFor.isEmpty() ? usual : usual.convicted();
    }

    /** Returns why the consumer has a process of its own although it need not; "" when it has not. */
    String convictedFor() {
        return convictedFor;
    }

    /** Returns why the consumer's last worker ended without being to blame and no event was handled since; "" if it is not so. */
    String waitsFor() {
        return waitsFor;
    }

    /** Returns whether events may be sent to the worker now, which is then done: a turn has begun. */
    boolean maySend() {
        Suspects.Turn mine = turn;
        return mine == null || mine.take();
    }

    /** Returns whether a worker may be started now: one that may end its process when it starts waits for its turn. */
    boolean mayStart() {
        return !startsInTurn || maySend();
    }

    /**
     * Takes note of a death.
     *
     * @param involved whether the worker was starting or had events in flight
     * @return whether the death counts against the events in flight
     */
    boolean died(Death death, boolean involved) {
        return switch (death.cause()) {
            case OWN -> true;
            case NEIGHBOR -> false;
            case STORE -> {
                waitsFor = death.reason();
                yield false;
            }
            case KEEPING -> {
                convict(death.reason());
                yield false;
            }
            case OWN_WITH_ITS_HOST -> {
                convict(death.reason());
                yield true;
            }
            case UNKNOWN -> {
                Suspects.Turn mine = turn;
                if (!involved) {
                    yield false;
                }
                if (mine != null && mine.came()) {
                    if (mine.leave()) {
                        convict("its process ended twice while it was at work: " + death.reason());
                        yield true;
                    }
                    turn = null;
                }
                if (turn == null) {
                    startsInTurn = !death.served();
                    turn = suspects.enter(turnCame);
                }
                yield false;
            }
        };
    }

    private void convict(String why) {
        leave();
        convictedFor = why;
    }

    void clearedIf(boolean settled) {
        if (settled) {
            leave();
            waitsFor = "";
        }
    }

    /** Ends the suspicion: the events that were in flight are acknowledged and the process lives, or they are not sent again. */
    void leave() {
        Suspects.Turn mine = turn;
        if (mine != null) {
            mine.leave();
            turn = null;
            startsInTurn = false;
        }
    }
}
