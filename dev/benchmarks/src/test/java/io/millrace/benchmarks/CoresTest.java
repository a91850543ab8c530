package io.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {

    @Test
    void list_ofRangesAndSingleCores_isRead() {
        assertThat(Cores.parse("0-2,5,8-9")).containsExactly(0, 1, 2, 5, 8, 9);
        assertThat(Cores.parse("3")).containsExactly(3);
    }

    @Test
    void nodes_haveCoresOfTheirOwnWhileThereAreSome() {
        Cores cores = new Cores(List.of(4, 5, 6, 7));

        assertThat(cores.ofTheRest()).containsExactly(4);
        assertThat(cores.ofNode(1)).containsExactly(5);
        assertThat(cores.ofNode(3)).containsExactly(7);
    }

    @Test
    void nodes_beyondTheCores_shareTheFirstAndThenAll() {
        Cores cores = new Cores(List.of(0, 1));

        assertThat(cores.ofNode(1)).containsExactly(1);
        assertThat(cores.ofNode(2)).containsExactly(0);
        assertThat(cores.ofNode(3)).containsExactly(0, 1);
    }

    @Test
    void ticks_areBusyUnlessIdleOrWaitingForADisk() {
        //                 user nice system idle iowait irq softirq steal guest
        Cores.Ticks before = Cores.Ticks.parse("cpu1 100 0 50 800 50 0 0 0 70 0");
        Cores.Ticks after = Cores.Ticks.parse("cpu1 160 0 65 815 60 0 0 0 90 0");

        assertThat(before.all()).isEqualTo(1000);
        assertThat(before.busy()).isEqualTo(150);
        assertThat(after.percentSince(before)).isEqualTo(75);
        assertThat(after.percentSince(after)).isZero();
    }

    @Test
    void core_thatIsNotThere_isNotPinnedTo() throws Exception {
        assertThat(Cores.pin(ProcessHandle.current().pid(), List.of(100_000))).isFalse();
    }
}
