package io.millrace.launcher.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisBinaryIT {

    @TempDir
    Path directory;

    @Test
    void find_withAServerOnPath_returnsIt() throws IOException {
        script("redis-server", "echo 'Redis server v=7.2.4 sha=0'");

        RedisBinary found = RedisBinary.find(Map.of("PATH", "/nowhere:" + directory));

        assertThat(found.path()).isEqualTo(directory.resolve("redis-server"));
        assertThat(found.version()).isEqualTo("7.2.4");
    }

    @Test
    void find_withAValkeyOnPath_returnsIt() throws IOException {
        script("valkey-server", "echo 'Valkey server v=8.0.1 sha=0'");

        assertThat(RedisBinary.find(Map.of("PATH", directory.toString())).version())
                .isEqualTo("8.0.1");
    }

    @Test
    void find_withTwoServersOnPath_returnsTheNewer() throws IOException {
        script("redis-server", "echo 'Redis server v=7.0.15 sha=0'");
        script("valkey-server", "echo 'Valkey server v=7.0.9 sha=0'");
        assertThat(RedisBinary.find(Map.of("PATH", directory.toString())).version())
                .isEqualTo("7.0.15");

        script("valkey-server", "echo 'Valkey server v=9.1.2 sha=0'");

        assertThat(RedisBinary.find(Map.of("PATH", directory.toString())).version())
                .isEqualTo("9.1.2");
    }

    @Test
    void find_withAnOldServerOnPath_returnsTheBundledOne() throws IOException {
        script("redis-server", "echo 'Redis server v=6.2.11 sha=0'");

        RedisBinary found =
                RedisBinary.find(Map.of("PATH", directory.toString(), "MILLRACE_CACHE", directory + "/cache"));

        assertThat(found.version()).isEqualTo(RedisBinary.BUNDLED_VERSION);
        assertThat(found.path()).hasParentRaw(directory.resolve("cache"));
    }

    @Test
    void find_withABrokenServerOnPath_returnsTheBundledOne() throws IOException {
        script("redis-server", "exit 3");

        assertThat(RedisBinary.find(Map.of("PATH", directory.toString())).origin())
                .startsWith("bundled");
    }

    @Test
    void bundled_withAnUnwritableCache_usesTheNextDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "in the way");

        assertThat(RedisBinary.bundled(Map.of("MILLRACE_CACHE", file.toString()), new ArrayList<>()))
                .isPresent();
    }

    @Test
    void bundled_unpackedByManyAtOnce_runsForEachAndLeavesOneFile() throws Exception {
        Map<String, String> environment = Map.of("MILLRACE_CACHE", directory.toString());

        try (ExecutorService many = Executors.newFixedThreadPool(4)) {
            Callable<Boolean> unpack =
                    () -> RedisBinary.bundled(environment, new ArrayList<>()).isPresent();
            for (Future<Boolean> present : many.invokeAll(List.of(unpack, unpack, unpack, unpack))) {
                assertThat(present.get()).isTrue();
            }
        }

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
    }

    private void script(String name, String line) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + line + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
