package io.millrace.worker.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;

class HeldMemoryTest {

    private static final int KEPT = 32 << 20;

    @Test
    void whatIsKept_countsAfterACollection() {
        System.gc();
        long before = HeldMemory.bytes();
        byte[] kept = new byte[KEPT];

        System.gc();

        assertThat(HeldMemory.bytes() - before).isGreaterThan(KEPT / 2);
        Reference.reachabilityFence(kept);
    }
}
