package io.millrace.eventing.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.hosts.Renewals.Process;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenewalsTest {

    private static final long MIB = 1L << 20;
    private static final HostSettings.Renewal SETTINGS = new HostSettings.Renewal(Duration.ofHours(24), 50);

    @TempDir
    private Path home;

    private long now;

    @BeforeEach
    void distribution() throws IOException {
        Files.createDirectory(home.resolve("lib"));
        Files.writeString(home.resolve("lib").resolve("worker.jar"), "first");
    }

    private Renewals renewals(HostSettings.Renewal settings) {
        return new Renewals(home, 100, settings, () -> now);
    }

    private static Process process(Duration age, long heldMib) {
        return new Process(age, heldMib * MIB, "");
    }

    @Test
    void oldProcess_isDue() {
        Renewals renewals = renewals(SETTINGS);

        assertThat(renewals.due(process(Duration.ofHours(23), 0))).isEmpty();
        assertThat(renewals.due(process(Duration.ofHours(24), 0))).contains("age");
        assertThat(renewals(HostSettings.Renewal.NEVER).due(process(Duration.ofDays(1000), 100)))
                .isEmpty();
    }

    @Test
    void processThatHoldsMuch_isDueOnceAnHour() {
        Renewals renewals = renewals(SETTINGS);

        assertThat(renewals.due(process(Duration.ofHours(1), 50))).isEmpty();
        assertThat(renewals.due(process(Duration.ofHours(1), 51))).contains("growth");
        assertThat(renewals.due(process(Duration.ofMinutes(59), 51))).isEmpty();
    }

    @Test
    void processOfAFormerDistribution_isDueWhenTheNewOneIsComplete() throws IOException {
        Renewals renewals = renewals(HostSettings.Renewal.NEVER);
        Process before = new Process(Duration.ZERO, 0, Renewals.release(home));
        look(renewals);
        look(renewals);
        assertThat(renewals.due(before)).isEmpty();

        Files.writeString(home.resolve("lib").resolve("worker.jar"), "the second");
        look(renewals);
        assertThat(renewals.due(before)).as("it may still be being copied").isEmpty();
        look(renewals);

        assertThat(renewals.due(before)).contains("release");
        assertThat(renewals.due(new Process(Duration.ZERO, 0, Renewals.release(home))))
                .isEmpty();
    }

    @Test
    void missingDistribution_renewsNothing() throws IOException {
        Renewals renewals = renewals(HostSettings.Renewal.NEVER);
        Process before = new Process(Duration.ZERO, 0, Renewals.release(home));
        Files.delete(home.resolve("lib").resolve("worker.jar"));
        Files.delete(home.resolve("lib"));

        look(renewals);
        look(renewals);

        assertThat(renewals.due(before)).isEmpty();
    }

    private void look(Renewals renewals) {
        now += Renewals.RELEASE_LOOK.toNanos();
        renewals.look();
    }
}
