package io.millrace.rebalance;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A topology change and how far it is. There is one at a time.
 *
 * <pre>
 *            all have prepared          token is there              all have settled
 *  PREPARE --------------------> START ----------------> EXECUTION -----------------> DONE
 *     |                            |                         |
 *     +----------------------------+-------------------------+--- asked to stop ----> CANCELLED
 *     +----------------------------+-------------------------+--- a node died, or
 *                                                                 nothing moves ----> FAILED
 * </pre>
 *
 * @param master who was chosen to write the token; empty before the start
 * @param cancel whether it was asked to stop
 * @param error why it failed; empty otherwise
 * @param sinceMillis since when it is in this phase, in milliseconds since 1970
 * @param previous the shares that the new plan keeps as far as it can; empty for a contiguous plan
 * @param out nodes that people want out though they are alive: no change that begins by itself takes them in again, and
 *     one that failed to take them out is tried again
 */
public record Change(
        TopologyChange message,
        Phase phase,
        String master,
        boolean cancel,
        String error,
        long sinceMillis,
        SortedMap<String, VbucketSet> previous,
        SortedSet<String> out) {

    /** How far a change is. */
    public enum Phase {
        PREPARE,
        START,
        EXECUTION,
        DONE,
        CANCELLED,
        FAILED
    }

    @SuppressWarnings("ConstantValue") // a field that is missing in JSON arrives as null
    public Change {
        previous = Collections.unmodifiableSortedMap(new TreeMap<>(previous));
        out = out == null ? Collections.emptySortedSet() : Collections.unmodifiableSortedSet(new TreeSet<>(out));
    }

    static Change prepare(
            TopologyChange message, SortedMap<String, VbucketSet> previous, SortedSet<String> out, long nowMillis) {
        return new Change(message, Phase.PREPARE, "", false, "", nowMillis, previous, out);
    }

    /** Returns whether it has not ended yet. */
    public boolean running() {
        return phase == Phase.PREPARE || phase == Phase.START || phase == Phase.EXECUTION;
    }

    /** Returns the change with the wish that it stops. */
    public Change cancelled() {
        return new Change(message, phase, master, true, error, sinceMillis, previous, out);
    }

    Change start(String chosen, long nowMillis) {
        return new Change(message, Phase.START, chosen, cancel, error, nowMillis, previous, out);
    }

    Change executing(long nowMillis) {
        return new Change(message, Phase.EXECUTION, master, cancel, error, nowMillis, previous, out);
    }

    /** A wish to have somebody out outlives a failure, and ends when people stop the change. */
    Change ended(Phase end, String reason, long nowMillis) {
        TreeSet<String> remaining = new TreeSet<>(out);
        if (end == Phase.CANCELLED) {
            remaining.removeAll(message.eject());
        }
        return new Change(message, end, master, cancel, reason, nowMillis, previous, remaining);
    }

    /** Returns who should have what when it has ended well. */
    public Plan plan(Planner planner) {
        return target().plan(planner);
    }

    /** Returns the layout that it leads to. */
    Layout target() {
        return new Layout(message.id(), message.keep(), message.keep(), cancel, previous);
    }

    /** Returns who must answer: who stays, and who leaves and can still be asked. */
    SortedSet<String> participants(Collection<String> live) {
        TreeSet<String> participants = new TreeSet<>(message.keep());
        if (message.type() == TopologyChange.Type.REBALANCE) {
            message.eject().stream().filter(live::contains).forEach(participants::add);
        }
        return participants;
    }
}
