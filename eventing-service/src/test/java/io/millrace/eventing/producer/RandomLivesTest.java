package io.millrace.eventing.producer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random lives of functions. {@code -Dmillrace.lives=1000} lives more of them, {@code -Dmillrace.lives.seed=N} begins with
 * the seed that a failure names.
 */
class RandomLivesTest {

    private static final int LIVES = Integer.getInteger("millrace.lives", 8);
    private static final long SEED = Long.getLong("millrace.lives.seed", 1);

    @Test
    @Timeout(3600)
    void life_keepsThePromisesOfDelivery() {
        for (long seed = SEED; seed < SEED + LIVES; seed++) {
            try (RandomLife life = new RandomLife(seed)) {
                System.out.println(life.run());
            }
        }
    }
}
