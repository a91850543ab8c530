package io.millrace.benchmarks.rebalance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The times at which each change was written and handled, by vbucket. A vbucket <em>pauses</em> while it has unhandled changes
 * and none is handled. A change <em>waits</em> from its write until it is handled.
 */
final class ServiceTimes {

    private static final int VBUCKETS = 1024;

    private final List<List<Served>> byVbucket = new ArrayList<>();

    private record Served(long written, long handled) {}

    /** The median and the maximum of the longest pause of each vbucket, in milliseconds. */
    record Spread(long median, long longest) {}

    ServiceTimes() {
        for (int vbucket = 0; vbucket < VBUCKETS; vbucket++) {
            byVbucket.add(new ArrayList<>());
        }
    }

    void add(int vbucket, long written, long handled) {
        byVbucket.get(vbucket).add(new Served(written, handled));
    }

    /** Returns the pauses that overlap a period. */
    Spread pauses(long from, long to) {
        return spread(byVbucket.stream().mapToLong(served -> longestPause(served, from, to)));
    }

    private static long longestPause(List<Served> all, long from, long to) {
        Served[] served = all.toArray(Served[]::new);
        Arrays.sort(served, Comparator.comparingLong(Served::handled));
        long waitingSince = Long.MAX_VALUE;
        long longest = 0;
        for (int i = served.length - 1; i >= 0; i--) {
            waitingSince = Math.min(waitingSince, served[i].written());
            long begin = i == 0 ? waitingSince : Math.max(waitingSince, served[i - 1].handled());
            if (begin <= to && served[i].handled() >= from) {
                longest = Math.max(longest, served[i].handled() - begin);
            }
        }
        return longest;
    }

    /** Returns the longest wait of changes written before {@code to} and handled after {@code from}. */
    Spread waits(long from, long to) {
        return spread(byVbucket.stream()
                .mapToLong(served -> served.stream()
                        .filter(one -> one.written() <= to && one.handled() >= from)
                        .mapToLong(one -> one.handled() - one.written())
                        .max()
                        .orElse(0)));
    }

    private static Spread spread(LongStream longestOfEach) {
        long[] sorted = longestOfEach.sorted().toArray();
        return new Spread(sorted[sorted.length / 2], sorted[sorted.length - 1]);
    }
}
