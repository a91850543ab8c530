package io.millrace.worker.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.worker.report.Counters;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DocumentCacheTest {

    private static final int AGE_MILLIS = 1000;

    private final ManualTime time = new ManualTime();
    private final Counters counters = new Counters();
    private final DocumentCache cache = new DocumentCache(100_000, AGE_MILLIS, time, counters);

    @Test
    void entry_isKeptForItsAge() {
        cache.put(document("a", 10), cache.beforeRead());

        time.sleep(Duration.ofMillis(AGE_MILLIS - 1));
        assertThat(cache.get(key("a"))).isNotNull();
        time.sleep(Duration.ofMillis(1));
        assertThat(cache.get(key("a"))).isNull();
        assertThat(counters.takeDeltas()).containsOnly(Map.entry(Counters.CACHE_MISSES, 1L));
    }

    @Test
    void entry_isOfItsCollectionAlone() {
        cache.put(document("a", 10), cache.beforeRead());

        assertThat(cache.get(new DocumentKey(new Keyspace("b", "_default", "other"), "a")))
                .isNull();
        assertThat(cache.get(new DocumentKey(Keyspace.of("another"), "a"))).isNull();
    }

    @Test
    void ownWrite_isForgottenAtOnce() {
        cache.put(document("a", 10), cache.beforeRead());
        cache.put(document("b", 10), cache.beforeRead());

        cache.invalidate(key("a"));
        assertThat(cache.get(key("a"))).isNull();
        assertThat(cache.get(key("b"))).isNotNull();

        cache.invalidateAll();
        assertThat(cache.get(key("b"))).isNull();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void documentThatWasReadBeforeAWrite_isNotKept() {
        long before = cache.beforeRead();
        cache.invalidate(key("a"));

        cache.put(document("a", 10), before);

        assertThat(cache.get(key("a"))).isNull();
    }

    @Test
    void tooMuch_dropsSomeAndIsCounted() {
        IntStream.range(0, 200).forEach(i -> cache.put(document("d" + i, 1000), cache.beforeRead()));

        assertThat(cache.bytes()).isPositive().isLessThanOrEqualTo(100_000);
        assertThat(IntStream.range(0, 200).filter(i -> cache.get(key("d" + i)) != null))
                .as("what is left")
                .hasSizeBetween(1, 83);
        assertThat(counters.takeDeltas().get(Counters.CACHE_OVERFLOWS)).isPositive();
    }

    @Test
    void documentLargerThanAll_isNotKept() {
        cache.put(document("a", 100_001), cache.beforeRead());

        assertThat(cache.get(key("a"))).isNull();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void sameDocumentAgain_takesItsPlaceOnce() {
        cache.put(document("a", 10), cache.beforeRead());
        long once = cache.bytes();
        cache.put(document("a", 10), cache.beforeRead());

        assertThat(cache.bytes()).isEqualTo(once);
    }

    private static DocumentKey key(String id) {
        return new DocumentKey(Keyspace.of("b"), id);
    }

    private static Document document(String id, int bytes) {
        return new Document(key(id), 1, Document.State.LIVE, new byte[bytes], Datatype.JSON, 0, null, null, null, null);
    }
}
