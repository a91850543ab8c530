package io.millrace.timers;

import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Names the timers of one deployment of a function, and how they are spread.
 *
 * @param metadataBucket the bucket whose shards hold the timers
 * @param shards how many index shards that bucket has, a power of two: each has as many partitions as any other, or one
 *     or none when there are fewer partitions than shards
 * @param functionId the function; has no blank
 * @param instance its deployment: another instance's code cannot create timers here
 * @param partitions how many partitions there are: a power of two, at most {@link TimerLimits#MAX_TIMER_PARTITIONS}
 */
public record TimerGroup(String metadataBucket, int shards, String functionId, String instance, int partitions) {

    public TimerGroup {
        requirePowerOfTwo(shards, "shards");
        requirePowerOfTwo(partitions, "partitions");
    }

    /** Returns the partition of a timer. */
    public int partitionOf(TimerId id) {
        return id.partition(partitions);
    }

    /** Returns the shard of a partition, 0 to {@code shards - 1}; there may be fewer partitions than shards. */
    public int shardOf(int partition) {
        return (int) ((long) partition * shards / partitions);
    }

    /** Returns the shards that have partitions, ascending. */
    public List<Integer> usedShards() {
        return shardsOf(everyPartition());
    }

    /** Returns the shards of some partitions, ascending. */
    public List<Integer> shardsOf(Collection<Integer> some) {
        BitSet found = new BitSet(shards); // asked at every look, with a thousand partitions
        int left = shards;
        for (Iterator<Integer> rest = some.iterator(); left > 0 && rest.hasNext(); ) {
            int shard = shardOf(rest.next());
            left -= found.get(shard) ? 0 : 1;
            found.set(shard);
        }
        return found.stream().boxed().toList();
    }

    /** Returns the numbers of all partitions. */
    List<Integer> everyPartition() {
        return IntStream.range(0, partitions).boxed().toList();
    }

    private static void requirePowerOfTwo(int number, String what) {
        if (number < 1 || number > TimerLimits.MAX_TIMER_PARTITIONS || Integer.bitCount(number) != 1) {
            throw new IllegalArgumentException("Not a number of " + what + ": " + number);
        }
    }
}
