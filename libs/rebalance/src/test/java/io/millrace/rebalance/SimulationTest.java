package io.millrace.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** More seeds, or the one that failed: {@code ./millrace bench rebalance-simulation [SEEDS [FIRST]]}. */
class SimulationTest {

    /** The defects of {@link Sabotage} show within a few dozen. */
    private static final int SEEDS = 400;

    @Test
    void cluster_underTrouble_keepsOneOwnerAndLosesNothing() {
        for (long seed = 0; seed < SEEDS; seed++) {
            new Simulation(seed, Sabotage.NONE).run();
        }
    }

    @Test
    void seed_isReplayed() {
        assertThat(new Simulation(42, Sabotage.NONE).run()).isEqualTo(new Simulation(42, Sabotage.NONE).run());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void sabotage_isDetected(Sabotage sabotage) {
        assertThatCode(() -> {
                    for (long seed = 0; seed < SEEDS; seed++) {
                        new Simulation(seed, sabotage).run();
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed ");
    }
}
