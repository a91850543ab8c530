package io.millrace.launcher.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MasterKeyFileTest {

    @TempDir
    Path directory;

    @Test
    void key_isMadeOnceAndOnlyItsOwnerReadsIt() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Path file = MasterKeyFile.in(data);
        String key = Files.readString(file);

        assertThat(Base64.getDecoder().decode(key.strip())).hasSize(32);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(MasterKeyFile.in(data)).hasContent(key);
        assertThat(Files.readString(MasterKeyFile.in(Files.createDirectory(directory.resolve("other")))))
                .isNotEqualTo(key);
    }

    @Test
    void key_whoseFileIsEmpty_isMadeAgain() throws IOException {
        Files.createFile(directory.resolve("master.key"));

        String key = Files.readString(MasterKeyFile.in(directory));

        assertThat(Base64.getDecoder().decode(key.strip())).hasSize(32);
    }
}
