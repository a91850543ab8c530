package io.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {

    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path directory;

    @Test
    void archive_unpackedWithTar_hasContentsModesLinksAndTime() throws Exception {
        Path packed = packed("one");
        Path to = Files.createDirectories(directory.resolve("unpacked"));

        int status = new ProcessBuilder("tar", "xzf", packed.toString(), "-C", to.toString())
                .inheritIO()
                .start()
                .waitFor();

        Path top = to.resolve("millrace");
        assertThat(status).isZero();
        assertThat(top.resolve("lib/a.jar")).hasContent("jar");
        assertThat(Files.getLastModifiedTime(top.resolve("lib/a.jar"))).isEqualTo(FileTime.from(TIME));
        assertThat(top.resolve("script")).isExecutable();
        assertThat(Files.isExecutable(top.resolve("lib/a.jar"))).isFalse();
        assertThat(Files.readSymbolicLink(top.resolve("link"))).isEqualTo(Path.of("lib/a.jar"));
        assertThat(top.resolve("x".repeat(120)).resolve("y".repeat(120))).hasContent("long name");
    }

    @Test
    void archive_ofTheSameFiles_isTheSame() throws IOException {
        Path one = packed("one");
        Path other = packed("other");

        assertThat(other).hasSameBinaryContentAs(one);
    }

    private Path packed(String name) throws IOException {
        Path top = Files.createDirectories(directory.resolve(name).resolve("millrace"));
        Files.createDirectories(top.resolve("lib"));
        Files.writeString(top.resolve("lib/a.jar"), "jar");
        Files.writeString(top.resolve("script"), "#!/bin/sh");
        assertThat(top.resolve("script").toFile().setExecutable(true)).isTrue();
        Files.createSymbolicLink(top.resolve("link"), Path.of("lib/a.jar"));
        Files.writeString(Files.createDirectories(top.resolve("x".repeat(120))).resolve("y".repeat(120)), "long name");
        Path file = directory.resolve(name + ".tar.gz");
        Archive.write(top, file, TIME);
        return file;
    }
}
