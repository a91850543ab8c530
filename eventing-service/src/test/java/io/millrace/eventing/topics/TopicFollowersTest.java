package io.millrace.eventing.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.topics.TopicFollowers.Page;
import io.millrace.eventing.topics.TopicStore.Entry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TopicFollowersTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Entry ENTRY = new Entry(7, 0, Map.of());

    /** Answers when the test says so. */
    private static final class Reader implements TopicReader {

        final Deque<CompletableFuture<List<Entry>>> asked = new ArrayDeque<>();
        boolean kept = true;

        @Override
        public CompletableFuture<String> newest(String topic) {
            return CompletableFuture.completedFuture(START);
        }

        @Override
        public synchronized CompletableFuture<List<Entry>> after(String topic, String id, int most) {
            CompletableFuture<List<Entry>> answer = new CompletableFuture<>();
            asked.add(answer);
            return answer;
        }

        @Override
        public CompletableFuture<Optional<Entry>> find(String topic, String id) {
            return CompletableFuture.completedFuture(kept ? Optional.of(ENTRY) : Optional.empty());
        }

        synchronized int open() {
            return asked.size();
        }

        void answer(List<Entry> entries) {
            await().atMost(PATIENCE).until(() -> open() > 0);
            next().complete(entries);
        }

        synchronized CompletableFuture<List<Entry>> next() {
            return asked.remove();
        }
    }

    private final Reader reader = new Reader();
    private final TopicFollowers followers = new TopicFollowers(reader);

    @Test
    void followersAtOnePlace_shareItsReads() {
        CompletableFuture<Page> one = followers.next("t", "3-0");
        CompletableFuture<Page> two = followers.next("t", "3-0");
        assertThat(reader.open()).isEqualTo(1);

        reader.answer(List.of());
        reader.answer(List.of(ENTRY));

        assertThat(one.join()).isEqualTo(new Page(false, List.of(ENTRY)));
        assertThat(two.join()).isSameAs(one.join());
        assertThat(followers.places()).isZero();
    }

    @Test
    void removedEntryBefore_isAGap_exceptAtTheStart() {
        reader.kept = false;
        CompletableFuture<Page> behind = followers.next("t", "3-0");
        reader.answer(List.of(ENTRY));
        CompletableFuture<Page> all = followers.next("t", TopicReader.START);
        reader.answer(List.of(ENTRY));

        assertThat(behind.join().gap()).isTrue();
        assertThat(all.join().gap()).isFalse();
    }

    @Test
    void placeWithoutFollowers_isNotReadAgain() {
        CompletableFuture<Page> gone = followers.next("t", "3-0");
        gone.cancel(false);

        reader.answer(List.of());

        assertThat(followers.places()).isZero();
        assertThat(reader.open()).isZero();
    }

    @Test
    void failureOfARead_isThatOfItsFollowers_andTheNextOneReadsAgain() {
        CompletableFuture<Page> failed = followers.next("t", "3-0");
        reader.next().completeExceptionally(new IllegalStateException("no Redis"));
        assertThat(failed).isCompletedExceptionally();

        CompletableFuture<Page> next = followers.next("t", "3-0");
        reader.answer(List.of(ENTRY));

        assertThat(next.join().entries()).containsExactly(ENTRY);
    }
}
