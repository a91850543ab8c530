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
        Path file = MasterKeyFile.in(directory.resolve("data"));
        String key = Files.readString(file);

        assertThat(Base64.getDecoder().decode(key.strip())).hasSize(32);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(MasterKeyFile.in(directory.resolve("data"))).hasContent(key);
        assertThat(Files.readString(MasterKeyFile.in(directory.resolve("other"))))
                .isNotEqualTo(key);
    }
}
