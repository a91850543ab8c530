package io.millrace.subdocservice.rest.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LiveTurnsTest {

    private final Queue<Runnable> pauses = new ArrayDeque<>();
    private long nanos;
    private final LiveTurns turns = new LiveTurns(() -> nanos, pauses::add);

    private List<CompletableFuture<Void>> changed(int queries) {
        return Stream.generate(turns::next).limit(queries).toList();
    }

    private static long gone(List<CompletableFuture<Void>> queries) {
        return queries.stream().filter(CompletableFuture::isDone).count();
    }

    private void pause() {
        nanos += LiveLimits.PAUSE.toNanos();
        pauses.remove().run();
    }

    @Test
    void changeOfFewQueries_isTheirsAtOnce_alsoTheNextOne() {
        assertThat(gone(changed(LiveLimits.QUERIES_AT_ONCE))).isEqualTo(LiveLimits.QUERIES_AT_ONCE);

        nanos += LiveLimits.PAUSE.toNanos();

        assertThat(gone(changed(LiveLimits.QUERIES_AT_ONCE))).isEqualTo(LiveLimits.QUERIES_AT_ONCE);
        assertThat(pauses).isEmpty();
    }

    @Test
    void changeOfManyQueries_isTheirsAFewAtATime_andThatOfTheLastOneInTime() {
        List<CompletableFuture<Void>> queries = changed(1_000);
        assertThat(gone(queries)).isEqualTo(LiveLimits.QUERIES_AT_ONCE);

        long longest = 0;
        int count = 0;
        while (!pauses.isEmpty()) {
            long before = gone(queries);
            pause();
            longest = Math.max(longest, gone(queries) - before);
            count++;
        }

        assertThat(gone(queries)).isEqualTo(1_000);
        assertThat(longest).isEqualTo(40);
        assertThat(LiveLimits.PAUSE.multipliedBy(count)).isLessThanOrEqualTo(LiveLimits.LONGEST_TURN);
    }

    @Test
    void nextChange_waitsBehindThoseThatWait() {
        List<CompletableFuture<Void>> first = changed(2 * LiveLimits.QUERIES_AT_ONCE);
        List<CompletableFuture<Void>> second = changed(1);
        nanos += LiveLimits.PAUSE.toNanos();
        List<CompletableFuture<Void>> third = changed(1);

        assertThat(gone(second) + gone(third)).isZero();
        pause();
        assertThat(gone(first)).isEqualTo(2 * LiveLimits.QUERIES_AT_ONCE);
        assertThat(gone(second) + gone(third)).isZero();
        pause();
        assertThat(gone(second) + gone(third)).isEqualTo(2);
        assertThat(pauses).isEmpty();
    }
}
