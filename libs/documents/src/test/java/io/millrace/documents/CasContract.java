package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.StoreKit.Clock;
import io.millrace.documents.WriteResult.Written;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CAS as a clock. */
public abstract class CasContract {

    private static final byte[] BODY = bytes("{}");

    private final Clock clock = new Clock();
    private DocumentStore store;
    private final DocumentKey key = new DocumentKey(Keyspace.of(StoreKit.uniqueBucket()), "k");

    protected abstract DocumentStore open(InstantSource time);

    @BeforeEach
    void createBucket() {
        store = open(clock);
        await(store.catalog().createBucket(key.keyspace().bucket(), 1));
    }

    @Test
    void cas_isATimeNearTheClock_andTheSeqnoCounts() {
        Written first = written(Write.insert(key, BODY));
        Written second = written(Write.upsert(key, BODY));

        assertThat(time(first)).isBetween(clock.instant().minusSeconds(1), latest());
        assertThat(second.cas()).isGreaterThan(first.cas());
        assertThat(second.seqno()).isEqualTo(first.seqno() + 1);
        Document document = await(store.get(key)).orElseThrow();
        assertThat(document.cas()).isEqualTo(second.cas());
        assertThat(document.seqno()).isEqualTo(second.seqno());
    }

    @Test
    void cas_neverFalls_whateverTheClockDoes() {
        List<Long> versions = new ArrayList<>();
        for (int step : new int[] {0, -60, 0, 120, -3600, 60, -86_400}) {
            clock.advance(Duration.ofSeconds(step));
            versions.add(written(Write.upsert(key, BODY)).cas());
            versions.add(written(Write.upsert(new DocumentKey(key.keyspace(), "other"), BODY))
                    .cas());
        }
        await(store.write(Write.remove(key)));
        versions.add(written(Write.insert(key, BODY)).cas());

        assertThat(versions).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void cas_ofATombstoneByExpiry_growsAsWell() {
        Written written = written(
                Write.insert(key, BODY).withExpiry(Expiry.at(clock.instant().plusSeconds(10))));
        clock.advance(Duration.ofSeconds(11));

        await(store.expireDue(key.keyspace().bucket(), 10));

        Document tombstone = await(store.getWithTombstone(key)).orElseThrow();
        assertThat(tombstone.cas()).isGreaterThan(written.cas());
        assertThat(tombstone.seqno()).isEqualTo(written.seqno() + 1);
    }

    @Test
    void time_isThatOfTheNextCas() {
        Instant before = await(store.time(key));

        Written written = written(Write.insert(key, BODY));

        assertThat(time(written)).isAfterOrEqualTo(before.minusNanos(1 << 16));
        assertThat(await(store.time(key))).isAfterOrEqualTo(time(written).minusNanos(1 << 16));
        clock.advance(Duration.ofDays(-2));
        assertThat(await(store.time(key))).isAfterOrEqualTo(time(written).minusNanos(1 << 16));
    }

    /** The latest time that a CAS may show now: the clock of the test may be behind that of Redis. */
    private Instant latest() {
        return clock.instant().plus(Limits.MAX_CLOCK_LEAD).plusSeconds(1);
    }

    private static Instant time(Written written) {
        return Instant.EPOCH.plusNanos(written.cas());
    }

    private Written written(Write write) {
        return (Written) await(store.write(write));
    }
}
