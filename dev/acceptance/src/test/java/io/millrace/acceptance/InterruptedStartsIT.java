package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.StartCycles;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterruptedStartsIT {

    private static final long SEED = 7;

    @Test
    void interruptWhileClientsWriteAndDuringAStart_leavesNothingAndLosesNothing() throws Exception {
        StartCycles cycles = new StartCycles(up(), RunningSuite.scratch("cycles"), SEED, System.out::println);

        int acknowledged = cycles.run(3);

        assertThat(acknowledged).isPositive();
    }

    private static List<String> up() {
        List<String> command = new ArrayList<>(List.of("env"));
        BuiltSuite.WITHOUT_OPTIMIZING.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(LauncherProcess.command("up"));
        return command;
    }
}
