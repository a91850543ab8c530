package io.millrace.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.audit.AuditEvent.Actor;
import io.millrace.audit.AuditEvent.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTrailTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-03-01T10:00:00Z"));
    private static final Actor ALICE = new Actor("alice", "local", "basic", "10.0.0.7:50312");

    @TempDir
    Path directory;

    private static AuditEvent saved(int number) {
        return AuditEvent.allowed(AuditKinds.FUNCTION_SAVE, ALICE, "fü€" + number, "r" + number);
    }

    private void record(int from, int to) throws Exception {
        try (AuditTrail trail =
                new AuditTrail("eventing-service", CLOCK, List.of(FileSink.in(directory, "eventing")))) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = from; i <= to; i++) {
                all.add(trail.record(saved(i)));
            }
            for (CompletableFuture<Void> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
    }

    private Path file() {
        return directory.resolve("audit-eventing.jsonl");
    }

    @Test
    void event_isOneLineOfJsonThatOnlyTheOwnerReads() throws Exception {
        AuditEvent event = AuditEvent.refused(new Kind(0, "secret.read"), ALICE, "pay\"load\n", "role missing", "r1");
        try (AuditTrail trail =
                new AuditTrail("eventing-service", CLOCK, List.of(FileSink.in(directory, "eventing")))) {
            trail.record(event).get(60, TimeUnit.SECONDS);
        }

        List<String> lines = Files.readAllLines(file());
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst())
                .startsWith(
                        "{\"seq\":1,\"timestamp\":\"2026-03-01T10:00:00Z\",\"service\":\"eventing-service\",\"name\":\"secret.read\",\"real_userid\":{\"domain\":\"local\",\"user\":\"alice\"},\"method\":\"basic\",\"remote\":\"10.0.0.7:50312\",\"resource\":\"pay\\\"load\\n"
                                + "\",\"outcome\":\"refused\",\"reason\":\"role"
                                + " missing\",\"request\":\"r1\",\"prev\":\"0000");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void close_losesNothingThatWasRecordedJustBefore() throws Exception {
        for (int round = 0; round < 40; round++) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            try (AuditTrail trail =
                    new AuditTrail("eventing-service", CLOCK, List.of(FileSink.in(directory, "eventing")))) {
                for (int i = 0; i < 5; i++) {
                    all.add(trail.record(saved(i)));
                }
            }

            assertThat(all)
                    .as("round %d", round)
                    .allSatisfy(one -> assertThat(one).isCompleted());
            assertThat(Files.readAllLines(file())).hasSize(5 * (round + 1));
        }
    }

    @Test
    void chain_goesOnAfterARestart() throws Exception {
        record(1, 300);
        record(301, 305);

        Verification verified = Verification.of(file());

        assertThat(verified.defect()).isNull();
        assertThat(verified.lines()).isEqualTo(305);
        assertThat(verified.head()).hasSize(64);
        assertThat(Verification.of(Files.readAllLines(file()))).isEqualTo(verified);
        assertThat(Verification.trails(directory)).containsExactly(file());
    }

    @Test
    void changedLine_isFound() throws Exception {
        record(1, 5);
        List<String> lines = Files.readAllLines(file());
        lines.set(2, lines.get(2).replace("\"alice\"", "\"bobby\""));

        assertThat(Verification.of(lines).defect())
                .isEqualTo("line 3: it was changed: its hash is not that of its content");
        Files.write(file(), lines);
        assertThat(Verification.of(file()).defect()).startsWith("audit-eventing.jsonl line 3: it was changed");
    }

    @Test
    void missingAndMovedLines_areFound() throws Exception {
        record(1, 5);
        List<String> lines = Files.readAllLines(file());

        List<String> missing = new ArrayList<>(lines);
        missing.remove(1);
        List<String> beheaded = lines.subList(1, 5);
        List<String> moved = new ArrayList<>(lines);
        moved.set(1, lines.get(2));
        moved.set(2, lines.get(1));

        for (List<String> tampered : List.of(missing, beheaded, moved)) {
            assertThat(Verification.of(tampered).defect()).contains("does not follow the line before it");
        }
        assertThat(Verification.of(lines.subList(0, 4)).head())
                .isNotEqualTo(Verification.of(lines).head());
    }

    @Test
    void tornLine_isCutOffBecauseItWasNotAcknowledged() throws Exception {
        record(1, 3);
        Files.writeString(file(), Files.readString(file()) + "{\"seq\":4,\"ü€");
        record(4, 4);

        assertThat(Verification.of(file())).returns(4L, Verification::lines).returns(null, Verification::defect);
    }

    @Test
    void changedEnd_isNotContinued() throws Exception {
        record(1, 3);
        Files.writeString(file(), Files.readString(file()).replace("3\"", "9\""));

        assertThatThrownBy(() -> record(4, 4))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("its last line is not valid");
    }

    @Test
    void fullFile_isFollowedByAnother() throws Exception {
        for (int i = 1; i <= 5; i++) {
            FileSink sink = new FileSink(file(), 400);
            try (AuditTrail trail = new AuditTrail("eventing-service", CLOCK, List.of(sink))) {
                trail.record(saved(i)).get(60, TimeUnit.SECONDS);
            }
        }

        assertThat(FileSink.files(file())).hasSizeGreaterThan(1);
        assertThat(Verification.of(file())).returns(5L, Verification::lines).returns(null, Verification::defect);
    }

    @Test
    void eventThatCannotBeWritten_failsAndTheChainGoesOnWithTheNext() throws Exception {
        List<String> kept = new ArrayList<>();
        AuditSink flaky = new AuditSink() {
            private boolean failed;

            @Override
            public @Nullable String last() {
                return kept.isEmpty() ? null : kept.getLast();
            }

            @Override
            public void append(List<String> lines) throws IOException {
                if (!failed) {
                    failed = true;
                    throw new IOException("No space left on device");
                }
                kept.addAll(lines);
            }

            @Override
            public String name() {
                return "flaky";
            }
        };
        try (AuditTrail trail = new AuditTrail("eventing-service", CLOCK, List.of(flaky))) {
            CompletableFuture<Void> first = trail.record(saved(1));
            assertThatThrownBy(first::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(AuditException.class)
                    .hasMessageContaining(
                            "The audit trail flaky cannot be written (No space left on device), so the request was"
                                    + " refused");
            trail.record(saved(2)).get(60, TimeUnit.SECONDS);
        }

        assertThat(Verification.of(kept)).returns(1L, Verification::lines).returns(null, Verification::defect);
    }

    @Test
    void longTextOfAClient_isNotKeptInTheEvent() {
        String text = "x".repeat(1 << 20);

        AuditEvent event = AuditEvent.refused(
                AuditEvent.Kind.of("access.forbidden"),
                new AuditEvent.Actor(text, "local", "basic", "10.0.0.7:1"),
                text,
                text,
                text);

        assertThat(event.toString().length()).isLessThan(5 * AuditLimits.MAX_TEXT_CHARS);
    }

    @Test
    void longText_isCut() throws Exception {
        AuditEvent event = AuditEvent.allowed(AuditKinds.FUNCTION_SAVE, ALICE, "é".repeat(100_000), "r");
        for (int i = 0; i < 2; i++) {
            try (AuditTrail trail = new AuditTrail("s", CLOCK, List.of(FileSink.in(directory, "eventing")))) {
                trail.record(event).get(60, TimeUnit.SECONDS);
            }
        }

        assertThat(Verification.of(file())).returns(2L, Verification::lines).returns(null, Verification::defect);
        assertThat(Files.size(file())).isLessThan(20_000);
    }

    @Test
    void eventAfterTheEnd_isRefused() {
        AuditTrail trail = new AuditTrail("eventing-service", CLOCK, List.of());
        trail.close();

        assertThat(trail.record(saved(1))).isCompletedExceptionally();
    }
}
