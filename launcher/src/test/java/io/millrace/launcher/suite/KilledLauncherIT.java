package io.millrace.launcher.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.redis.RedisConsole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A launcher that is killed with stand-ins for the services in one process and a real Redis. */
class KilledLauncherIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void servicesOfAKilledLauncher_end_andTheNextStartHasTheirPortsAndData() throws Exception {
        Process launcher = launch();
        List<ProcessHandle> started = List.of();
        try {
            await().atMost(LIMIT)
                    .until(() ->
                            SuiteState.find(data()).filter(SuiteState::ready).isPresent());
            SuiteState state = SuiteState.find(data()).orElseThrow();
            new RedisConsole(state.redis(), LIMIT).call("SET", "k", "v");
            started = launcher.descendants().toList();

            launcher.destroyForcibly().waitFor();

            List<ProcessHandle> services =
                    started.stream().filter(KilledLauncherIT::isJava).toList();
            assertThat(services).hasSize(1);
            await().atMost(LIMIT).until(() -> services.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(SuiteState.find(data())).isEmpty();
            SuiteSettings settings = settings(directory);
            for (Service service : Service.values()) {
                settings.port(service, state.url(service).getPort());
            }
            try (Suite next = Suite.start(settings)) {
                assertThat(next.redisConsole().call("GET", "k")).isEqualTo("v");
            }
        } finally {
            launcher.destroyForcibly();
            started.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(
                        JavaCommand.executable(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Launcher.class.getName(),
                        directory.toString())
                .inheritIO()
                .start();
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("java");
    }

    private static SuiteSettings settings(Path directory) {
        return new SuiteSettings(new StandIns(directory))
                .oneProcess()
                .freePorts()
                .data(directory.resolve("data"))
                .logs(directory.resolve("logs"));
    }

    static final class Launcher {

        private Launcher() {}

        public static void main(String... arguments) throws InterruptedException {
            Suite.start(settings(Path.of(arguments[0])));
            new CountDownLatch(1).await();
        }
    }

    private record StandIns(Path directory) implements Installation {

        @Override
        public List<String> javaArguments(Service service) {
            throw new UnsupportedOperationException("the services are in one process");
        }

        @Override
        public List<String> javaArgumentsForAll() {
            return List.of("-cp", System.getProperty("java.class.path"), StandIn.class.getName());
        }

        @Override
        public Path archives() {
            return directory.resolve("archives");
        }

        @Override
        public Path archive(String process) {
            return archives().resolve(process + ".aot");
        }

        @Override
        public Path workerHome() {
            return directory.resolve("worker");
        }
    }
}
