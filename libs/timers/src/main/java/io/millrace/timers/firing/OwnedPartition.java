package io.millrace.timers.firing;

import io.millrace.timers.Timer;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore.Claim;
import io.millrace.timers.firing.TimerScanner.PartitionScan;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A partition that the scanner owns. */
final class OwnedPartition {

    final int number;
    final long epoch;
    private final Set<Firing> firing = ConcurrentHashMap.newKeySet();
    private long claims = 1;
    private volatile boolean unanswered;
    private volatile boolean givenUp;
    private volatile long position;
    private volatile long claimedAt;

    private record Firing(TimerId id, long version) {}

    OwnedPartition(int number, long epoch) {
        this.number = number;
        this.epoch = epoch;
    }

    /** Returns the claim to make now: the former one when that was never answered. */
    Claim claim(long now, int limit) {
        unanswered = true;
        return new Claim(number, epoch, Long.toString(claims), now, limit);
    }

    /** No further claim; what is out may still be settled. */
    void giveUp() {
        givenUp = true;
    }

    boolean givenUp() {
        return givenUp;
    }

    boolean unanswered() {
        return unanswered;
    }

    /** Says that the claim was not made. */
    void leftOut() {
        unanswered = false;
    }

    /** Returns which of the claimed timers are not in the sink's hands already. */
    List<Timer> answered(List<Timer> claimed, long now) {
        unanswered = false;
        claims++;
        claimedAt = now;
        List<Timer> fresh =
                claimed.stream().filter(each -> firing.add(key(each))).toList();
        if (!fresh.isEmpty()) {
            position = fresh.getLast().due();
        }
        return fresh;
    }

    /** Says that the store knows about the end of a timer. */
    void settled(Timer timer) {
        firing.remove(key(timer));
    }

    int firing() {
        return firing.size();
    }

    PartitionScan scan() {
        return new PartitionScan(number, epoch, position, claimedAt, firing.size());
    }

    private static Firing key(Timer timer) {
        return new Firing(timer.id(), timer.version());
    }
}
