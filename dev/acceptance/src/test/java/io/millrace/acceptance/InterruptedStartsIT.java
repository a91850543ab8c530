package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.StartCycles;
import org.junit.jupiter.api.Test;

class InterruptedStartsIT {

    private static final long SEED = 7;

    @Test
    void interruptWhileClientsWriteAndDuringAStart_leavesNothingAndLosesNothing() throws Exception {
        StartCycles cycles = new StartCycles(
                LauncherProcess.command("up"), RunningSuite.scratch("cycles"), SEED, System.out::println);

        int acknowledged = cycles.run(3);

        assertThat(acknowledged).isPositive();
    }
}
