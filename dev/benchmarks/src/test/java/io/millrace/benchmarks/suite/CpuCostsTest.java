package io.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuCostsTest {

    private static final CpuCosts COSTS = CpuCosts.between(
            Map.of("writer", Duration.ofMillis(5), "redis", Duration.ofMillis(10)),
            Map.of("writer", Duration.ofMillis(12), "redis", Duration.ofMillis(40), "worker", Duration.ofMillis(80)),
            1_000);

    @Test
    void processThatBeganMeanwhile_isCountedFromItsBeginning() {
        assertThat(COSTS.sum()).isEqualTo(7.0 + 30.0 + 80.0);
    }

    @Test
    void processThatIsLeftOut_isNotInTheSum_andNotNamed() {
        CpuCosts without = COSTS.without("writer");

        assertThat(without.sum()).isEqualTo(110.0);
        assertThat(without.toString()).startsWith("110.0 us").doesNotContain("writer");
        assertThat(COSTS.of("writer")).isEqualTo(7.0);
        assertThat(without.of("writer")).isZero();
    }

    @Test
    void workers_areCountedTogether() {
        CpuCosts costs = CpuCosts.between(
                Map.of("worker", Duration.ofMillis(7)),
                Map.of("redis", Duration.ofMillis(6), "worker", Duration.ofMillis(9), "worker-2", Duration.ofMillis(1)),
                100);

        assertThat(costs.workers()).isEqualTo(30.0);
    }
}
