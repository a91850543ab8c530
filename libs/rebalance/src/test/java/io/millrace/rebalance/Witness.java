package io.millrace.rebalance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the invariants: one owner, order, nothing lost. */
final class Witness {

    private static final class Story {
        long epoch = -1;
        int lastOfEpoch;
        int highest;
        final Set<Integer> fired = new HashSet<>();
    }

    private final VirtualTime time;
    private final Map<String, Story> stories = new HashMap<>();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private long handled;
    private long duplicates;
    private long takeOvers;

    Witness(VirtualTime time) {
        this.time = time;
    }

    void watch(SimulatedNode node) {
        nodes.add(node);
    }

    /** Records that a handler ran for an event. */
    void handled(SimulatedNode by, String function, int vbucket, long epoch, int seqno) {
        alone(by, function, vbucket, "handles event " + seqno);
        Story story = story(function, vbucket);
        require(
                epoch >= story.epoch,
                "%s handles %s/%d with epoch %d after epoch %d",
                by,
                function,
                vbucket,
                epoch,
                story.epoch);
        if (epoch > story.epoch) {
            story.epoch = epoch;
            story.lastOfEpoch = 0;
            takeOvers++;
        }
        require(
                seqno > story.lastOfEpoch,
                "%s handles event %d of %s/%d after %d: out of order",
                by,
                seqno,
                function,
                vbucket,
                story.lastOfEpoch);
        require(
                seqno <= story.highest + 1,
                "event %d of %s/%d is skipped by %s",
                story.highest + 1,
                function,
                vbucket,
                by);
        story.lastOfEpoch = seqno;
        duplicates += seqno <= story.highest ? 1 : 0;
        story.highest = Math.max(story.highest, seqno);
        handled++;
    }

    /** Records that the callback of a timer ran. */
    void fired(SimulatedNode by, String function, int vbucket, int id) {
        alone(by, function, vbucket, "fires timer " + id);
        story(function, vbucket).fired.add(id);
    }

    void saved(String function, int vbucket, int before, int now) {
        require(now >= before, "the checkpoint of %s/%d goes back from %d to %d", function, vbucket, before, now);
        int highest = story(function, vbucket).highest;
        require(now <= highest, "the checkpoint %d of %s/%d is ahead of event %d", now, function, vbucket, highest);
    }

    /** Checks at the end that all events were handled and all timers fired. */
    void complete(String function, int vbucket, int highSeqno, Set<Integer> timers) {
        Story story = story(function, vbucket);
        require(
                story.highest == highSeqno,
                "of %s/%d only %d of %d events were handled",
                function,
                vbucket,
                story.highest,
                highSeqno);
        require(
                story.fired.containsAll(timers),
                "of %s/%d timers %s fired, of %s",
                function,
                vbucket,
                story.fired,
                timers);
    }

    int highest(String function, int vbucket) {
        return story(function, vbucket).highest;
    }

    String figures() {
        return "%d events, %d of them again, %d changes of owner".formatted(handled, duplicates, takeOvers);
    }

    private void alone(SimulatedNode by, String function, int vbucket, String what) {
        for (SimulatedNode other : nodes) {
            require(
                    other == by || !other.actsOn(function, vbucket),
                    "%s and %s both own %s/%d while %s %s",
                    by,
                    other,
                    function,
                    vbucket,
                    by,
                    what);
        }
    }

    private Story story(String function, int vbucket) {
        return stories.computeIfAbsent(function + "/" + vbucket, absent -> new Story());
    }

    private void require(boolean condition, String format, Object... arguments) {
        if (!condition) {
            throw new AssertionError("at %d ms: ".formatted(time.now()) + format.formatted(arguments));
        }
    }
}
