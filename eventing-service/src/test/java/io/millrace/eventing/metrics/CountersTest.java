package io.millrace.eventing.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.metrics.Counters.Block;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CountersTest {

    private final Counters counters = new Counters();

    @ParameterizedTest
    @EnumSource(Block.class)
    void everyCounter_isThereFromTheStartUnderAName(Block block) {
        assertThat(counters.snapshot(block)).isNotEmpty().allSatisfy((name, count) -> {
            assertThat(name).matches("[a-z][a-z0-9_]*[a-z0-9]");
            assertThat(count).isZero();
        });
    }

    @Test
    void aCounter_isInOneBlockOnly() {
        List<String> names = Arrays.stream(Block.values())
                .flatMap(block -> counters.snapshot(block).keySet().stream())
                .toList();

        assertThat(names)
                .doesNotHaveDuplicates()
                .contains(
                        "on_update_success", "timeout_count", "dcp_mutation_unchanged_counter", "worker_spawn_counter");
    }

    @Test
    void reset_leavesTheNamesAndNoCount() {
        counters.of("retry_counter").add(3);
        counters.of("mine").increment();
        assertThat(counters.snapshot(Block.PROCESSING)).containsEntry("retry_counter", 3L);
        assertThat(counters.snapshot(Block.EXECUTION)).containsEntry("mine", 1L);

        counters.reset();

        assertThat(counters.snapshot(Block.PROCESSING)).containsEntry("retry_counter", 0L);
        assertThat(counters.snapshot(Block.EXECUTION)).containsEntry("mine", 0L);
    }
}
