package io.millrace.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.audit.AuditEvent.Actor;
import io.millrace.audit.AuditEvent.Kind;
import io.millrace.audit.AuditEvent.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundedRefusalsTest {

    private static final Kind FORBIDDEN = Kind.of("access.forbidden");

    private final List<AuditEvent> recorded = new ArrayList<>();
    private final List<Runnable> ends = new ArrayList<>();
    private boolean closed;

    private final BoundedRefusals bounded = new BoundedRefusals(
            event -> {
                recorded.add(event);
                return CompletableFuture.completedFuture(null);
            },
            () -> closed = true,
            new BoundedRefusals.Timer() {
                @Override
                public void after(Duration delay, Runnable task) {
                    assertThat(delay).isEqualTo(AuditLimits.WINDOW);
                    ends.add(task);
                }

                @Override
                public void close() {
                    ends.clear();
                }
            });

    private void refuse(String user, String operation, int port) {
        Actor actor = new Actor(user, "local", "scram", "10.0.0.7:" + port);
        assertThat(bounded.record(AuditEvent.refused(FORBIDDEN, actor, operation, "no role", "r" + port)))
                .isCompleted();
    }

    private void endWindows() {
        List<Runnable> due = List.copyOf(ends);
        ends.clear();
        due.forEach(Runnable::run);
    }

    @Test
    void flood_ofOneOperation_hasAFewLinesAndOneWithTheNumberOfTheRest() {
        for (int i = 1; i <= 10_000; i++) {
            refuse("ann", "SET orders", i);
        }
        assertThat(recorded).hasSize(AuditLimits.MAX_EQUAL_REFUSALS).allMatch(event -> event.leftOut() == 0);

        endWindows();

        assertThat(recorded).hasSize(AuditLimits.MAX_EQUAL_REFUSALS + 1);
        AuditEvent summary = recorded.getLast();
        assertThat(summary.leftOut()).isEqualTo(10_000 - AuditLimits.MAX_EQUAL_REFUSALS);
        assertThat(summary.actor().name()).isEqualTo("ann");
        assertThat(summary.resource()).isEqualTo("SET orders");
        assertThat(summary.requestId()).isEqualTo("r10000");
    }

    @Test
    void nextWindow_hasLinesAgain() {
        for (int i = 0; i < 100; i++) {
            refuse("ann", "SET orders", i);
        }
        endWindows();
        recorded.clear();

        refuse("ann", "SET orders", 1);
        endWindows();

        assertThat(recorded).hasSize(1).allMatch(event -> event.leftOut() == 0);
    }

    @Test
    void otherUsersAndOperations_keepTheirLines() {
        for (int i = 0; i < 1_000; i++) {
            refuse("ann", "SET orders", i);
        }
        recorded.clear();

        refuse("bob", "SET orders", 1);
        refuse("ann", "GET orders", 1);

        assertThat(recorded).hasSize(2);
    }

    @Test
    void manyNames_shareOneWindow() {
        for (int i = 0; i < 100_000; i++) {
            refuse("user-" + i, "login", 1);
        }
        endWindows();

        assertThat(recorded).hasSize(AuditLimits.MAX_KINDS_OF_REFUSALS + AuditLimits.MAX_EQUAL_REFUSALS + 1);
        assertThat(recorded.getLast().leftOut())
                .isEqualTo(100_000 - AuditLimits.MAX_KINDS_OF_REFUSALS - AuditLimits.MAX_EQUAL_REFUSALS);
        assertThat(recorded.getLast().actor().name()).isEqualTo(BoundedRefusals.SEVERAL);
    }

    @Test
    void acts_areAllRecorded() {
        Actor root = new Actor("root", "local", "basic", "10.0.0.7:1");
        for (int i = 0; i < 1_000; i++) {
            assertThat(bounded.record(AuditEvent.allowed(AuditKinds.FUNCTION_SAVE, root, "f", "r")))
                    .isCompleted();
        }

        assertThat(recorded).hasSize(1_000).allMatch(event -> event.outcome() == Outcome.ALLOWED);
    }

    @Test
    void close_recordsWhatHasBeenCounted() {
        for (int i = 0; i < 50; i++) {
            refuse("ann", "SET orders", i);
        }

        bounded.close();

        assertThat(closed).isTrue();
        assertThat(recorded.getLast().leftOut()).isEqualTo(50 - AuditLimits.MAX_EQUAL_REFUSALS);
    }

    @Test
    void trail_verifiesWithTheNumberOfThoseLeftOut(@TempDir Path directory) throws Exception {
        AuditTrail trail =
                new AuditTrail("subdoc-service", InstantSource.system(), List.of(FileSink.in(directory, "subdoc")));
        Actor ann = new Actor("ann", "local", "scram", "10.0.0.7:1");
        try (BoundedRefusals real = BoundedRefusals.of(trail)) {
            for (int i = 0; i < 50; i++) {
                real.record(AuditEvent.refused(FORBIDDEN, ann, "SET orders", "no role", "r"))
                        .get(60, TimeUnit.SECONDS);
            }
        }

        Path file = directory.resolve("audit-subdoc.jsonl");
        assertThat(Files.readString(file)).containsOnlyOnce("\"left_out\":45");
        assertThat(Verification.of(file)).returns(6L, Verification::lines).returns(null, Verification::defect);
    }
}
