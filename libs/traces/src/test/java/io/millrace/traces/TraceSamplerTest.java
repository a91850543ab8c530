package io.millrace.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TraceSamplerTest {

    private static final long SECOND = 1_000_000_000;

    private final AtomicLong nanos = new AtomicLong(-5 * SECOND);

    private int followed(TraceSampler sampler, String bucket, int changes, Optional<TraceContext> parent) {
        int followed = 0;
        for (int i = 0; i < changes; i++) {
            followed += sampler.follow(bucket, parent) == null ? 0 : 1;
        }
        return followed;
    }

    @Test
    void follow_manyChanges_isAFewPerSecondAndBucket() {
        TraceSampler sampler = new TraceSampler(2, 100, nanos::get);

        assertThat(followed(sampler, "a", 1000, Optional.empty())).isEqualTo(TracesLimits.BURST);
        assertThat(followed(sampler, "b", 1000, Optional.empty())).isEqualTo(TracesLimits.BURST);
        nanos.addAndGet(SECOND);
        assertThat(followed(sampler, "a", 1000, Optional.empty())).isEqualTo(2);
        nanos.addAndGet(100 * SECOND);
        assertThat(followed(sampler, "a", 1000, Optional.empty())).isEqualTo(TracesLimits.BURST);
    }

    @Test
    void follow_askedFor_continuesTheTraceUpToALimit() {
        TraceSampler sampler = new TraceSampler(0, 10, nanos::get);
        TraceContext parent = TraceContext.random();

        assertThat(sampler.follow("a", Optional.of(parent)))
                .satisfies(span -> assertThat(span.traceId()).isEqualTo(parent.traceId()));
        assertThat(followed(sampler, "a", 1000, Optional.of(parent))).isEqualTo(9);
    }

    @Test
    void follow_switchedOff_isNever() {
        TraceSampler sampler = new TraceSampler(0, 0, nanos::get);

        assertThat(followed(sampler, "a", 10, Optional.empty())).isZero();
        assertThat(followed(sampler, "a", 10, Optional.of(TraceContext.random())))
                .isZero();
    }

    @Test
    void follow_tooManyBuckets_leavesOutTheNewOnes() {
        TraceSampler sampler = new TraceSampler(1, 1, nanos::get);
        for (int i = 0; i < TracesLimits.MAX_BUCKETS; i++) {
            assertThat(sampler.follow("bucket" + i, Optional.empty())).isNotNull();
        }

        assertThat(sampler.follow("one more", Optional.empty())).isNull();
        assertThat(sampler.follow("bucket7", Optional.empty())).isNotNull();
    }
}
