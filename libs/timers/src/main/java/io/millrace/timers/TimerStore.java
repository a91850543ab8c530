package io.millrace.timers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps timers. Thread-safe; no call blocks. A future that fails does so with a {@link TimersException}; after
 * {@code UNAVAILABLE} the call may or may not have been carried out, and may be repeated.
 */
public interface TimerStore {

    /** What became of a change of one timer. */
    enum Change {
        DONE,
        /** There is no such timer, or no longer this version of it. */
        NOT_FOUND,
        /** Its callback has been called: too late. */
        FIRING,
        /** There is already a timer of that id. */
        EXISTS,
        /** The function has been undeployed or deployed again, or another process owns the partition. */
        FENCED
    }

    /** Lets timers of this instance be created; whatever there was of the function stays. */
    CompletableFuture<Void> open(TimerGroup group);

    /** Removes everything of the function, dead letters included. Nothing can be created until it is opened again. */
    CompletableFuture<Void> drop(TimerGroup group);

    /** Creates a timer, in place of the one with its id: {@code DONE} or {@code FENCED}. */
    CompletableFuture<Change> create(TimerGroup group, NewTimer timer);

    /** Creates a timer unless there is one with its id: {@code DONE}, {@code EXISTS} or {@code FENCED}. */
    CompletableFuture<Change> restore(TimerGroup group, NewTimer timer);

    /**
     * Records in a partition how far a feed has been read, if the current mark is the one that the owner expects. Returns
     * the mark afterwards; it is an empty text when there is no mark, and when the partition has lost a part of a timer.
     * Returns nothing when the partition has another owner.
     */
    CompletableFuture<Optional<String>> mark(TimerGroup group, TimerMark mark);

    /**
     * Removes a timer: {@code DONE}, {@code NOT_FOUND}, or {@code FIRING}, after which it will not be repeated when its
     * callback fails.
     */
    CompletableFuture<Change> cancel(TimerGroup group, TimerId id);

    /**
     * Makes an epoch the only one that may claim timers of a partition. What was claimed before is due again. Returns
     * false when a later epoch has it, or the group is not open.
     */
    default CompletableFuture<Boolean> take(TimerGroup group, int partition, long epoch) {
        return take(group, List.of(partition), epoch).thenApply(taken -> !taken.isEmpty());
    }

    /** Does the same for several partitions of one shard, in one step; returns those that no later epoch has. */
    CompletableFuture<List<Integer>> take(TimerGroup group, List<Integer> partitions, long epoch);

    /** Returns the partitions with unclaimed timers, by when the earliest is due; at most {@code limit}. */
    default CompletableFuture<List<DirectoryEntry>> directory(TimerGroup group, int limit) {
        return directory(group, group.everyPartition(), limit);
    }

    /**
     * Does the same, but reads only the shards of some partitions; the result may include other partitions of those
     * shards.
     */
    CompletableFuture<List<DirectoryEntry>> directory(TimerGroup group, Collection<Integer> partitions, int limit);

    /**
     * Returns the positions of those groups that have an unclaimed timer in a shard that is due at {@code until} or before.
     * The groups have the same metadata bucket.
     */
    CompletableFuture<List<Integer>> due(List<TimerGroup> groups, int shard, long until);

    /**
     * Claims timers that are due, earliest first; empty when the partition has another owner. A repeated claim claims
     * nothing and hands out everything that is claimed in the partition.
     */
    default CompletableFuture<Optional<List<Timer>>> claim(TimerGroup group, Claim claim) {
        return claim(group, List.of(claim)).thenApply(List::getFirst);
    }

    /**
     * Does the same in several partitions of one shard, in one step. The answers come in the order of the claims; when
     * {@link TimerLimits#CLAIM_BYTES} are exceeded the claims behind are not made, and have no answers.
     */
    CompletableFuture<List<Optional<List<Timer>>>> claim(TimerGroup group, List<Claim> claims);

    /** Removes claimed timers, except those that were created again since; false when the partition has another owner. */
    default CompletableFuture<Boolean> confirm(TimerGroup group, int partition, long epoch, List<Timer> timers) {
        return confirm(group, List.of(new Confirmation(partition, epoch, timers)))
                .thenApply(List::getFirst);
    }

    /** Does the same in several partitions of one shard, in one step. */
    CompletableFuture<List<Boolean>> confirm(TimerGroup group, List<Confirmation> confirmations);

    /**
     * Lets a claimed timer be due again at its {@code due}, with its failures: {@code DONE}, {@code NOT_FOUND} or
     * {@code FENCED}.
     */
    CompletableFuture<Change> again(TimerGroup group, long epoch, Timer timer);

    /** Turns a claimed timer into a dead letter: {@code DONE}, {@code NOT_FOUND} or {@code FENCED}. */
    CompletableFuture<Change> bury(TimerGroup group, long epoch, DeadLetter letter);

    /** Returns timers in the order in which they are due. */
    CompletableFuture<List<ListedTimer>> list(TimerGroup group, TimerQuery query);

    /**
     * Counts how many timers are due in each of some periods of equal length, which follow each other. Those whose callback
     * has been called do not count.
     */
    CompletableFuture<List<Long>> density(TimerGroup group, Periods periods);

    CompletableFuture<Optional<ListedTimer>> find(TimerGroup group, TimerId id);

    /** Changes when a timer is due, within the bounds of {@link NewTimer#due}: {@code DONE}, {@code NOT_FOUND} or {@code FIRING}. */
    CompletableFuture<Change> move(TimerGroup group, TimerId id, long due);

    CompletableFuture<TimerCounts> counts(TimerGroup group);

    /** Returns the newest dead letters, newest first. */
    CompletableFuture<List<DeadLetter>> deadLetters(TimerGroup group, int limit);

    /**
     * Makes a timer of a dead letter, without its failures: {@code DONE}, {@code NOT_FOUND}, {@code EXISTS} or
     * {@code FENCED}.
     */
    CompletableFuture<Change> replay(TimerGroup group, DeadLetter letter, long due);

    /** Removes a dead letter: {@code DONE} or {@code NOT_FOUND}. */
    CompletableFuture<Change> discard(TimerGroup group, DeadLetter letter);

    /**
     * Asks for the timers of a partition that are due.
     *
     * @param epoch the owner's, as it was given to {@link TimerStore#take}
     * @param nonce names this claim; the same again repeats a claim whose answer was lost
     * @param now the owner's clock in milliseconds
     * @param limit the most timers
     */
    record Claim(int partition, long epoch, String nonce, long now, int limit) {}

    /**
     * Says that callbacks of timers of a partition have returned.
     *
     * @param epoch the owner's, as it was given to {@link TimerStore#take}
     * @param timers as they were claimed
     */
    record Confirmation(int partition, long epoch, List<Timer> timers) {}

    /** A partition and the millisecond at which its earliest timer is due; the timer may have been removed meanwhile. */
    record DirectoryEntry(int partition, long due) {}

    /**
     * A timer as it is looked at.
     *
     * @param firing whether its callback has been called and not returned
     */
    record ListedTimer(Timer timer, boolean firing) {}

    /**
     * How many timers a function has.
     *
     * @param pending those that wait, due or not
     * @param firing those whose callback has been called and not returned
     * @param dead dead letters
     */
    record TimerCounts(long pending, long firing, long dead) {

        public static final TimerCounts NONE = new TimerCounts(0, 0, 0);

        public TimerCounts plus(TimerCounts other) {
            return new TimerCounts(pending + other.pending, firing + other.firing, dead + other.dead);
        }
    }

    /**
     * How far a change feed has been read whose document timers are all in a partition, as the owner wants to note it there.
     *
     * @param expected the mark that the owner expects
     * @param next what is to be noted, a text that is not empty
     */
    record TimerMark(int partition, long epoch, String expected, String next) {}

    /**
     * Periods of time that follow each other.
     *
     * @param from the millisecond at which the first one begins
     * @param lengthMillis how long each is, at least 1
     * @param count how many there are, 1 to {@link TimerLimits#MAX_PERIODS}
     */
    record Periods(long from, long lengthMillis, int count) {

        public Periods {
            if (lengthMillis < 1 || count < 1 || count > TimerLimits.MAX_PERIODS) {
                throw new IllegalArgumentException("Not periods: " + count + " of " + lengthMillis + " ms");
            }
        }
    }

    /**
     * Which timers to list, in the order in which they are due, those of the same millisecond by id.
     *
     * @param callback only those with this callback; null for all
     * @param reference only those whose reference contains this text; null for all
     * @param document only those whose reference is this id of a document; null for all
     * @param from only those due at this millisecond or later
     * @param to only those due at this millisecond or earlier
     * @param after only those behind this timer of an earlier page; null for the first page
     * @param limit the most timers, up to {@link TimerLimits#MAX_TIMERS_LISTED}
     */
    record TimerQuery(
            @Nullable String callback,
            @Nullable String reference,
            @Nullable String document,
            long from,
            long to,
            @Nullable Place after,
            int limit) {

        private static final long LATEST = TimerLimits.LATEST_DUE.toEpochMilli();

        public TimerQuery {
            from = Math.clamp(from, 0, LATEST);
            to = Math.clamp(to, 0, LATEST);
            limit = Math.clamp(limit, 1, TimerLimits.MAX_TIMERS_LISTED);
        }

        /** A place in the order; ids are compared as Redis does, by their bytes. */
        public record Place(long due, String id) implements Comparable<Place> {

            @Override
            public int compareTo(Place other) {
                int byDue = Long.compare(due, other.due);
                return byDue != 0 ? byDue : Arrays.compareUnsigned(id.getBytes(UTF_8), other.id.getBytes(UTF_8));
            }
        }

        /** Returns the query for the first timers of all. */
        public static TimerQuery first(int limit) {
            return new TimerQuery(null, null, null, 0, LATEST, null, limit);
        }

        public boolean matches(TimerId id, long due) {
            return (callback == null || callback.equals(id.callback()))
                    && (reference == null || id.reference().contains(reference))
                    && (document == null || id.reference().equals(document))
                    && due >= from
                    && due <= to
                    && (after == null || new Place(due, id.text()).compareTo(after) > 0);
        }
    }
}
