package io.millrace.workerprotocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerHeapTest {

    @ParameterizedTest
    @CsvSource({
        "2, 256, 1024, 832",
        "1, 256, 1024, 448",
        "4, 256, 1024, 1024",
        "2, 1048576, 1024, 1024",
        "1, 1, 1024, 66"
    })
    void heap_holdsAllThreadsAtTheirLimit(int threads, long limitMib, int mostMib, int neededMib) {
        assertThat(WorkerHeap.neededMib(setup(threads, limitMib << 20), mostMib))
                .isEqualTo(neededMib);
    }

    @ParameterizedTest
    @CsvSource({"2, 256", "1, 256", "64, 16", "3, 100"})
    void heapThatIsNeeded_leavesTheLimitAlone(int threads, long limitMib) {
        WorkerSetup setup = setup(threads, limitMib << 20);
        long heap = (long) WorkerHeap.neededMib(setup, 1 << 20) << 20;

        assertThat(WorkerHeap.allocationLimit(setup, heap)).isEqualTo(limitMib << 20);
    }

    @Test
    void heapThatIsTooSmall_lowersTheLimit() {
        assertThat(WorkerHeap.allocationLimit(setup(2, 256L << 20), 256L << 20)).isEqualTo(64L << 20);
        assertThat(WorkerHeap.allocationLimit(setup(64, 256L << 20), 64L << 20)).isEqualTo(1L << 20);
    }

    private static WorkerSetup setup(int threads, long limitBytes) {
        return new WorkerSetup(
                "f",
                "instance",
                new WorkerSetup.Source("", List.of(), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(threads, 1_000, limitBytes),
                "INFO",
                "source",
                "redis://localhost",
                List.of());
    }
}
