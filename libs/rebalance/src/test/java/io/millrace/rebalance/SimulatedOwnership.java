package io.millrace.rebalance;

import io.millrace.rebalance.ownership.OwnerTable;
import io.millrace.rebalance.ownership.OwnershipStep;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import java.util.TreeSet;

/** The vbuckets of a function on a node: take-over, events, release. */
final class SimulatedOwnership {

    private static final int STEP_MILLIS = 200;
    private static final int DELIVERY_MILLIS = 80;
    private static final int TIMER_MILLIS = 300;
    private static final int CALL_TIMEOUT_MILLIS = 1000;

    /** How often a settled node compares what it owns with the store. */
    private static final int LOOK_MILLIS = 1200;

    private static final int WINDOW = 3;

    /** One event in this many creates a timer. */
    static final int TIMER_EVERY = 5;

    /** One vbucket that this node has open. */
    private static final class Stream {
        final long epoch;
        final Deque<Integer> waiting = new ArrayDeque<>();
        final TreeSet<Integer> unacknowledged = new TreeSet<>();
        int dispatched;
        boolean stopped;
        boolean busy;

        Stream(long epoch, int checkpoint) {
            this.epoch = epoch;
            this.dispatched = checkpoint;
        }

        int handled() {
            return unacknowledged.isEmpty() ? dispatched : unacknowledged.first() - 1;
        }
    }

    private final SimulatedNode node;
    private final SimulatedNode.World world;
    private final String function;
    private final TreeMap<Integer, Stream> streams = new TreeMap<>();
    private long askedAt = Long.MIN_VALUE / 2;
    private long question;
    private boolean asking;
    private long comparedTerm;

    SimulatedOwnership(SimulatedNode node, String function) {
        this.node = node;
        this.world = node.world();
        this.function = function;
    }

    void start() {
        node.every(STEP_MILLIS, this::step);
        node.every(DELIVERY_MILLIS, this::deliver);
        node.every(TIMER_MILLIS, this::fire);
    }

    VbucketSet owned() {
        return VbucketSet.of(streams.keySet().stream().mapToInt(Integer::intValue));
    }

    boolean empty() {
        return streams.isEmpty();
    }

    boolean valid() {
        return node.valid(comparedTerm);
    }

    boolean open(int vbucket) {
        Stream stream = streams.get(vbucket);
        return stream != null && !stream.stopped;
    }

    private void step() {
        Layout layout = node.layout();
        long now = world.time().now();
        if (layout == null || (asking && now - askedAt < CALL_TIMEOUT_MILLIS)) {
            return;
        }
        // a started release is completed, even if the plan has changed again
        VbucketSet begun = VbucketSet.of(
                streams.keySet().stream().filter(vbucket -> !open(vbucket)).mapToInt(Integer::intValue));
        if (!begun.isEmpty()) {
            begun.stream().forEach(this::giveUp);
            return;
        }
        OwnershipStep step = OwnershipStep.next(layout, layout.plan(world.planner()), node.id(), owned());
        switch (step) {
            case OwnershipStep.GiveUp(VbucketSet surplus) -> surplus.stream().forEach(this::giveUp);
            case OwnershipStep.TakeOver(VbucketSet missing) -> ask(missing);
            case OwnershipStep.Settled() -> {
                if (now - askedAt >= LOOK_MILLIS || !valid()) {
                    ask(VbucketSet.NONE);
                }
            }
        }
    }

    private void giveUp(int vbucket) {
        Stream stream = streams.get(vbucket);
        if (stream == null) {
            return;
        }
        if (world.sabotage() != Sabotage.RELEASE_WITHOUT_STOPPING) {
            stream.stopped = true;
            if (!stream.unacknowledged.isEmpty() && valid()) {
                return; // finish events in flight first
            }
        }
        node.toRedis(
                () -> world.redis().giveUp(function, vbucket, stream.epoch, stream.handled()),
                done -> streams.remove(vbucket, stream));
    }

    private void ask(VbucketSet wanted) {
        asking = true;
        askedAt = world.time().now();
        long term = node.term();
        long mine = ++question;
        node.toRedis(() -> world.redis().takeOver(function, node.id(), wanted), answer -> {
            if (mine == question) {
                asking = false;
                answered(answer, wanted);
                comparedTerm = term;
            }
        });
    }

    private void answered(OwnerTable.TakeOver answer, VbucketSet wanted) {
        streams.entrySet().removeIf(open -> {
            Long epoch = answer.held().get(open.getKey());
            return !wanted.contains(open.getKey()) && (epoch == null || epoch != open.getValue().epoch);
        });
        answer.granted().stream()
                .forEach(vbucket -> streams.put(
                        vbucket, new Stream(answer.epoch(), world.redis().checkpoint(function, vbucket))));
        // owned because of a late or lost response
        answer.held().forEach((vbucket, epoch) -> {
            if (!streams.containsKey(vbucket)) {
                int checkpoint = world.redis().checkpoint(function, vbucket);
                node.toRedis(() -> world.redis().giveUp(function, vbucket, epoch, checkpoint), done -> {});
            }
        });
    }

    private void deliver() {
        if (!valid()) {
            return;
        }
        streams.forEach((vbucket, stream) -> {
            while (!stream.stopped
                    && stream.unacknowledged.size() < WINDOW
                    && stream.dispatched < world.redis().highSeqno(vbucket)) {
                int seqno = ++stream.dispatched;
                stream.unacknowledged.add(seqno);
                stream.waiting.add(seqno);
            }
            work(vbucket, stream);
        });
    }

    /** Handles one event of a vbucket at a time, in order. */
    private void work(int vbucket, Stream stream) {
        if (stream.busy || stream.waiting.isEmpty()) {
            return;
        }
        stream.busy = true;
        node.after(1 + world.random().nextInt(60), () -> {
            stream.busy = false;
            if (streams.get(vbucket) != stream || !valid()) {
                return;
            }
            int seqno = stream.waiting.element();
            world.witness().handled(node, function, vbucket, stream.epoch, seqno);
            stream.waiting.remove();
            acknowledge(vbucket, stream, seqno);
            work(vbucket, stream);
        });
    }

    private void acknowledge(int vbucket, Stream stream, int seqno) {
        if (seqno % TIMER_EVERY != 0) {
            node.after(world.random().nextInt(30), () -> stream.unacknowledged.remove(seqno));
            return;
        }
        if (streams.get(vbucket) != stream) {
            return;
        }
        long due = world.time().now() + world.random().nextInt(5000);
        node.toRedis(() -> world.redis().createTimer(function, vbucket, stream.epoch, seqno, due), created -> {
            if (created) {
                stream.unacknowledged.remove(seqno);
            }
        });
        node.after(CALL_TIMEOUT_MILLIS, () -> {
            if (stream.unacknowledged.contains(seqno)) {
                acknowledge(vbucket, stream, seqno);
            }
        });
    }

    private void fire() {
        if (!valid()) {
            return;
        }
        streams.forEach((vbucket, stream) -> {
            if (stream.stopped) {
                return;
            }
            for (int id :
                    world.redis().dueTimers(function, vbucket, world.time().now())) {
                if (world.sabotage() == Sabotage.TIMER_DELETED_FIRST) {
                    node.toRedis(
                            () -> world.redis().deleteTimer(function, vbucket, stream.epoch, id),
                            done -> world.witness().fired(node, function, vbucket, id));
                } else {
                    world.witness().fired(node, function, vbucket, id);
                    node.toRedis(() -> world.redis().deleteTimer(function, vbucket, stream.epoch, id), done -> {});
                }
            }
        });
    }

    void save() {
        streams.forEach((vbucket, stream) -> {
            int reached = world.sabotage() == Sabotage.CHECKPOINT_AHEAD ? stream.dispatched : stream.handled();
            node.toRedis(() -> world.redis().save(function, vbucket, stream.epoch, reached), saved -> {
                if (!saved) {
                    streams.remove(vbucket, stream);
                }
            });
        });
    }
}
