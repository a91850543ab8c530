package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UpIT {

    private static final List<String> PORTS = List.of(
            "MILLRACE_PORT",
            "MILLRACE_SUBDOC_PORT",
            "MILLRACE_METAKV_PORT",
            "MILLRACE_EVENTING_PORT",
            "MILLRACE_KV_PORT");

    @Test
    void up_terminated_stopsLauncherRedisAndServices() throws Exception {
        Map<String, String> environment = environment();
        try (LauncherProcess up = LauncherProcess.start(environment, "up")) {
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> up.output().contains("\nMillrace is ready after ") || !up.isAlive());
            assertThat(up.output()).contains("\nMillrace is ready after ").contains("./millrace demo");
            await().atMost(Duration.ofSeconds(60)).until(() -> up.output().contains("password "));
            String buckets = read("http://127.0.0.1:" + environment.get("MILLRACE_PORT") + "/api/v1/buckets");
            List<ProcessHandle> processes = up.all();

            up.terminate();
            up.awaitExit(90);

            assertThat(up.output())
                    .contains("\nStopping the services and Redis ...")
                    .contains("\nStopped after ");
            assertThat(buckets).isNotBlank();
            assertThat(processes).hasSize(3).noneMatch(ProcessHandle::isAlive);
        }
    }

    @Test
    void up_onAPortInUse_namesThePortAndExits() throws Exception {
        Map<String, String> environment = environment();
        try (ServerSocket taken = new ServerSocket(0)) {
            environment.put("MILLRACE_EVENTING_PORT", Integer.toString(taken.getLocalPort()));
            try (LauncherProcess up = LauncherProcess.start(environment, "up")) {
                assertThat(up.awaitExit(60)).isEqualTo(1);
                assertThat(up.output()).contains("Ports in use: " + taken.getLocalPort() + " (eventing-service)");
            }
        }
    }

    private static Map<String, String> environment() throws IOException {
        Path scratch = RunningSuite.scratch("up");
        Map<String, String> environment = new HashMap<>();
        environment.put("MILLRACE_DATA", scratch.resolve("data").toString());
        environment.put("MILLRACE_LOG_DIR", scratch.resolve("logs").toString());
        for (String port : PORTS) {
            environment.put(port, Integer.toString(freePort()));
        }
        return environment;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String read(String url) throws IOException {
        try (var in = URI.create(url).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
