package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** Very many idle clients. */
class IdleConnectionsIT {

    private static final int WANTED = 10_000;
    private static final int OTHER_FILES = 1000;
    private static final int MAX_BYTES_EACH = 10_000;
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void tenThousandIdleClients_costLittleAndDoNotAffectOthers() throws Exception {
        int count = (int) Math.min(WANTED, openFilesAllowed() - OTHER_FILES);
        MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
        store.catalog().createBucket("b", 1).join();
        KvSettings settings = new KvSettings(0, 3 * WANTED, false, DAY, DAY, DAY, 0);
        try (KvKit kit = new KvKit(store, InstantSource.system(), settings, KvKit.AT_ONCE);
                MemcachedClient client = kit.open("b")) {
            long before = usedBytes();
            Process clients = start(kit.server.port(), count);
            try {
                assertThat(firstLine(clients)).isEqualTo(IdleClients.OPEN + " " + count);
                await().until(() -> kit.server.connections() == count + 1);

                assertThat(usedBytes() - before).isLessThan((long) count * MAX_BYTES_EACH);
                for (int i = 0; i < 1000; i++) {
                    assertThat(client.call(Call.of(Opcode.GET, "k")).status()).isEqualTo(Status.KEY_ENOENT);
                }
            } finally {
                clients.getOutputStream().close();
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> kit.server.connections() == 1);
            assertThat(client.call(Call.of(Opcode.NOOP)).status()).isEqualTo(Status.SUCCESS);
        }
    }

    private static long openFilesAllowed() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : WANTED + OTHER_FILES;
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static Process start(int port, int count) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        IdleClients.class.getName(),
                        Integer.toString(port),
                        Integer.toString(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String firstLine(Process process) throws IOException {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }
}
