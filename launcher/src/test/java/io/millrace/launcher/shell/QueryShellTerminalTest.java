package io.millrace.launcher.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.jline.utils.ScreenTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell in an emulated terminal of 80 columns, with its line discipline: Ctrl-C is a signal there. */
class QueryShellTerminalTest {

    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";
    private static final String UP = "\u001bOA";

    @TempDir
    private Path directory;

    private final StandInGateway gateway = new StandInGateway();

    /** A user in front of the shell. */
    private final class Typist implements AutoCloseable {

        private final ScreenTerminal.VirtualTerminal virtual = terminal();
        private final Thread shell = Thread.ofPlatform()
                .start(() -> new QueryShell(gateway, RowFormat.TABLE, Map.of())
                        .interact("Welcome", virtual.terminal(), history()));

        Typist type(String keys) throws IOException {
            virtual.terminal().processInputBytes(keys.getBytes(UTF_8));
            return this;
        }

        Typist sees(String text) {
            await().untilAsserted(() -> assertThat(virtual.screen().toString()).contains(text));
            return this;
        }

        void leaves() throws IOException, InterruptedException {
            type(CTRL_D);
            assertThat(shell.join(Duration.ofSeconds(30))).isTrue();
        }

        @Override
        public void close() throws IOException {
            virtual.terminal().close();
            shell.interrupt();
        }
    }

    private static ScreenTerminal.VirtualTerminal terminal() {
        try {
            return ScreenTerminal.withTerminal("test", "xterm", 80, 40);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path history() {
        return directory.resolve("state").resolve("millrace").resolve("query_history");
    }

    @Test
    void statement_overSeveralLines_runsAtItsSemicolon() throws Exception {
        gateway.answer("SELECT", "{\"results\":[{\"n\":42}],\"metrics\":{\"elapsedTime\":\"1ms\"}}");
        try (Typist typist = new Typist()) {
            typist.sees("millrace>")
                    .type("SELECT n\r")
                    .sees(" -> ")
                    .type("FROM orders;\r")
                    .sees("42");

            assertThat(gateway.statements()).containsExactly("SELECT n\nFROM orders");
            typist.leaves();
        }
    }

    @Test
    void history_isThereInTheNextSession_andOnlyForTheUser() throws Exception {
        try (Typist first = new Typist()) {
            first.sees("millrace>")
                    .type("SELECT 'a;b'\r")
                    .sees(" -> ")
                    .type(", !1;\r")
                    .sees("(0 rows");
            first.type(" SELECT secret;\r").leaves();
        }
        assertThat(Files.getPosixFilePermissions(history())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(history().getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(history()).content().doesNotContain("secret");

        try (Typist second = new Typist()) {
            second.sees("millrace>").type(UP).sees(", !1;").type("\r").sees("(0 rows");
            second.leaves();
        }
        assertThat(gateway.statements()).containsExactly("SELECT 'a;b'\n, !1", "SELECT secret", "SELECT 'a;b'\n, !1");
    }

    @Test
    void tab_completesKeywordsKeyspacesAndFieldsSeen() throws Exception {
        gateway.answer(
                        "SELECT k.",
                        "{\"results\":[{\"bucket\":\"orders\",\"scope\":\"_default\",\"name\":\"_default\"}]}")
                .answer("SELECT * FROM orders", "{\"results\":[{\"quantity\":3}],\"metrics\":{}}");
        try (Typist typist = new Typist()) {
            typist.sees("millrace>").type("SEL\t").sees("millrace> SELECT ").type("* FROM ord\t");
            typist.sees("* FROM orders ").type(";\r").sees("quantity");
            typist.type("SELECT o.quan\t")
                    .sees("SELECT o.quantity")
                    .type(CTRL_C)
                    .leaves();
        }
    }

    @Test
    void ctrlC_cancelsTheRunningStatementOnTheServer_andTheShellGoesOn() throws Exception {
        try (Typist typist = new Typist()) {
            typist.sees("millrace>").type(StandInGateway.FOREVER + "; SELECT after;\r");
            await().until(gateway::isBusy);

            typist.type(CTRL_C).sees("error 1081: Request was cancelled");

            assertThat(gateway.isBusy()).isFalse();
            assertThat(gateway.cancelled).isNotEmpty();
            assertThat(gateway.statements()).doesNotContain("SELECT after");
            typist.type("\\x\r").sees("Each field").leaves();
        }
    }

    @Test
    void ctrlC_whileTyping_clearsTheInput() throws Exception {
        try (Typist typist = new Typist()) {
            typist.sees("millrace>")
                    .type("SELECT 1\r")
                    .sees(" -> ")
                    .type(CTRL_C)
                    .type("\\f\r");
            typist.sees("Rows are printed as table.").leaves();
            assertThat(gateway.requests).isEmpty();
        }
    }
}
