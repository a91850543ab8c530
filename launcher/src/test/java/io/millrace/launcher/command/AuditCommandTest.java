package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.audit.AuditEvent;
import io.millrace.audit.AuditKinds;
import io.millrace.audit.AuditTrail;
import io.millrace.audit.FileSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandTest {

    @TempDir
    Path directory;

    private Path audit() {
        return directory.resolve("logs").resolve("audit");
    }

    private Path trail() throws Exception {
        AuditEvent.Actor actor = new AuditEvent.Actor("alice", "local", "basic", "10.0.0.7:1");
        try (AuditTrail trail =
                new AuditTrail("eventing", InstantSource.system(), List.of(FileSink.in(audit(), "x")))) {
            for (int i = 0; i < 3; i++) {
                trail.record(AuditEvent.allowed(AuditKinds.FUNCTION_SAVE, actor, "f" + i, "r"))
                        .get(60, TimeUnit.SECONDS);
            }
        }
        return audit().resolve("audit-x.jsonl");
    }

    @Test
    void trail_thatIsSound_isCounted() throws Exception {
        trail();
        Printed command = new Printed(directory, Map.of());

        assertThat(command.run(AuditCommand::new, "verify")).isZero();
        assertThat(command.data()).matches("audit-x\\.jsonl: 3 lines, last hash [0-9a-f]{64}\n");
    }

    @Test
    void trail_thatWasChanged_failsWithItsLine() throws Exception {
        Path trail = trail();
        Files.writeString(trail, Files.readString(trail).replace("\"f1\"", "\"f9\""));
        Printed command = new Printed(directory, Map.of());

        assertThat(command.run(AuditCommand::new, "verify")).isEqualTo(1);
        assertThat(command.data()).contains("audit-x.jsonl: NOT SOUND: audit-x.jsonl line 2: it was changed");
    }

    @Test
    void trailsOfSeveralContainers_areEachCounted() throws Exception {
        trail();
        Path audit = audit();
        Files.createDirectories(audit.resolve("node-1"));
        Files.copy(audit.resolve("audit-x.jsonl"), audit.resolve("node-1/audit-x.jsonl"));
        Printed command = new Printed(directory, Map.of());

        assertThat(command.run(AuditCommand::new, "verify")).isZero();
        assertThat(command.data()).containsSubsequence("audit-x.jsonl: 3 lines", "node-1/audit-x.jsonl: 3 lines");
    }

    @Test
    void directoryWithoutTrails_isRefused() {
        assertThat(new Printed(directory, Map.of()).run(AuditCommand::new, "verify"))
                .isEqualTo(1);
    }

    /** A gateway whose stream has some lines of the trail, and one of a trail that is elsewhere. */
    private HttpServer gateway(String trail, List<String> lines) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/api/v1/audit/trails",
                exchange -> answer(exchange, "{\"trails\":[{\"trail\":\"" + trail + "\",\"sequence\":3}]}"));
        server.createContext("/api/v1/audit", exchange -> {
            int since = exchange.getRequestURI().getQuery().contains("since=0") ? 0 : 1;
            answer(
                    exchange,
                    "{\"lines\":[%s],\"next\":1,\"more\":%s}"
                            .formatted(
                                    String.join(",", since == 0 ? lines.subList(0, 1) : lines.subList(1, lines.size())),
                                    since == 0));
        });
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Printed verified(String trail, List<String> lines, int status, String... arguments) throws IOException {
        HttpServer server = gateway(trail, lines);
        try {
            Printed command = new Printed(
                    directory,
                    Map.of(
                            "MILLRACE_URL",
                            "http://127.0.0.1:" + server.getAddress().getPort()));
            List<String> all = new ArrayList<>(List.of("verify"));
            all.addAll(List.of(arguments));
            assertThat(command.run(AuditCommand::new, all.toArray(String[]::new)))
                    .as(command.data())
                    .isEqualTo(status);
            return command;
        } finally {
            server.stop(0);
        }
    }

    @Test
    void trail_isComparedWithTheStream() throws Exception {
        Path trail = trail();
        String name = FileSink.in(audit(), "x").trail();
        List<String> lines = Files.readAllLines(trail);

        assertThat(verified(name, lines.subList(0, 1), 0).data())
                .contains("audit-x.jsonl: 1 line as in the stream, 2 not copied yet");
        assertThat(verified(name, lines.subList(0, 2), 0).data())
                .contains("audit-x.jsonl: 2 lines as in the stream, 1 not copied yet");
        // a chain without its last line is whole
        Files.write(trail, lines.subList(0, 2));
        assertThat(verified(name, lines, 1).data())
                .contains("audit-x.jsonl: 2 lines, last hash")
                .contains("NOT AS IN THE STREAM: line 3 is in the stream and missing in the file");
    }

    @Test
    void trailWithoutAFile_isNamed() throws Exception {
        List<String> lines = Files.readAllLines(trail());

        assertThat(verified("subdoc-service-8081-0123456789abcdef", lines, 1).data())
                .contains("subdoc-service-8081-0123456789abcdef: line 3 is in the stream, and no file of this trail");
        verified("subdoc-service-8081-0123456789abcdef", lines, 0, audit().toString());
    }
}
