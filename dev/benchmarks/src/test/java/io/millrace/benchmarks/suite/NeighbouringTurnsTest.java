package io.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NeighbouringTurnsTest {

    private final List<String> order = new ArrayList<>();

    private double turn(String kind, double cost) {
        order.add(kind);
        return cost * order.size();
    }

    @Test
    void turns_changeTheirOrderFromPairToPair() throws Exception {
        NeighbouringTurns.take(3, () -> turn("without", 1), () -> turn("with", 1));

        assertThat(order).containsExactly("without", "with", "with", "without", "without", "with");
    }

    @Test
    void machineThatGetsSlower_doesNotLookLikeACost() throws Exception {
        NeighbouringTurns<Double> turns =
                NeighbouringTurns.take(100, () -> turn("without", 1), () -> turn("with", 1.05));

        assertThat(turns.more(Double::doubleValue)).startsWith("5.0 %, ");
    }
}
