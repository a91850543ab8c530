package io.millrace.eventing.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostProcessesTest {

    @Test
    void workers_seeTheFilesOfTlsAndNoSecrets() {
        var processes = new HostProcesses(new HostSettings(
                Path.of(""),
                "redis://eventing:secret@redis",
                192,
                false,
                0,
                1,
                0,
                false,
                false,
                HostSettings.Renewal.NEVER,
                Map.of("MILLRACE_REDIS_CA", "/tls/ca.pem")));
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH", "/bin",
                "REDIS_URL", "redis://eventing:secret@redis",
                "MILLRACE_ADMIN_PASSWORD", "secret",
                "MILLRACE_CLUSTER_SECRET_FILE", "/run/millrace/cluster"));

        processes.prepare(environment);

        assertThat(environment).containsOnly(Map.entry("PATH", "/bin"), Map.entry("MILLRACE_REDIS_CA", "/tls/ca.pem"));
    }
}
