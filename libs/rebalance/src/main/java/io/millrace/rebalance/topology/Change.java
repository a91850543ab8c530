package io.millrace.rebalance.topology;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Plan;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.VbucketSet;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A topology change and its phase. There is at most one running change.
 *
 * <pre>
 *            all have prepared           token exists               all have settled
 *  PREPARE --------------------> START ----------------> EXECUTION -----------------> DONE
 *     |                            |                         |
 *     +----------------------------+-------------------------+------ cancelled -----> CANCELLED
 *     +----------------------------+-------------------------+--- a node died, or
 *                                                                 no progress ------> FAILED
 * </pre>
 *
 * @param master the node that writes the token; empty before the start
 * @param cancel whether an operator cancelled it
 * @param error the reason of a failure; otherwise empty
 * @param sinceMillis the start of this phase, in milliseconds since 1970
 * @param previous the shares that the new plan preserves as far as possible; empty for a contiguous plan
 * @param out live nodes that an operator ejected: no automatic change includes them, and a failed change that ejects them
 *     is repeated
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

    /** The phase of a change. */
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

    /** Whether the change is running. */
    public boolean running() {
        return phase == Phase.PREPARE || phase == Phase.START || phase == Phase.EXECUTION;
    }

    /** Whether the change is running and gives a share to a node. */
    public boolean takesIn(String node) {
        return running() && message.keep().contains(node);
    }

    /** Returns the change marked as cancelled. */
    public Change cancelled() {
        return new Change(message, phase, master, true, error, sinceMillis, previous, out);
    }

    Change start(String chosen, long nowMillis) {
        return new Change(message, Phase.START, chosen, cancel, error, nowMillis, previous, out);
    }

    Change executing(long nowMillis) {
        return new Change(message, Phase.EXECUTION, master, cancel, error, nowMillis, previous, out);
    }

    /** Ejections requested by an operator survive a failure of the change, but not its cancellation. */
    Change ended(Phase end, String reason, long nowMillis) {
        TreeSet<String> remaining = new TreeSet<>(out);
        if (end == Phase.CANCELLED) {
            remaining.removeAll(message.eject());
        }
        return new Change(message, end, master, cancel, reason, nowMillis, previous, remaining);
    }

    /** Returns the plan after a successful end. */
    public Plan plan(Planner planner) {
        return target().plan(planner);
    }

    /** Returns the layout after a successful end. */
    Layout target() {
        return new Layout(message.id(), message.keep(), message.keep(), cancel, previous);
    }

    /** Returns the nodes that must respond: the nodes to keep, and the live nodes to eject. */
    SortedSet<String> participants(Collection<String> live) {
        TreeSet<String> participants = new TreeSet<>(message.keep());
        if (message.type() == TopologyChange.Type.REBALANCE) {
            message.eject().stream().filter(live::contains).forEach(participants::add);
        }
        return participants;
    }
}
