package io.millrace.launcher.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {

    @TempDir
    private Path data;

    @Test
    void secret_isRandomAndStaysOverStarts() {
        String first = SecretFile.read(SecretFile.ensure(data, "cluster"));

        assertThat(first).hasSizeGreaterThanOrEqualTo(43);
        assertThat(SecretFile.read(SecretFile.ensure(data, "cluster"))).isEqualTo(first);
        assertThat(SecretFile.read(SecretFile.ensure(data, "other"))).isNotEqualTo(first);
    }

    @Test
    void secret_isReadByItsOwnerOnly() throws Exception {
        Path ensured = SecretFile.ensure(data, "cluster");
        Path written = SecretFile.write(data, "acl", "one");
        SecretFile.write(data, "acl", "two");

        for (Path file : new Path[] {ensured, written}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("secrets"))))
                .isEqualTo("rwx------");
        assertThat(SecretFile.read(written)).isEqualTo("two");
    }

    @Test
    void secret_whoseFileIsEmpty_isMadeAgain() throws Exception {
        Path file = SecretFile.ensure(data, "cluster");
        Files.writeString(file, "");

        assertThat(SecretFile.read(SecretFile.ensure(data, "cluster"))).hasSizeGreaterThanOrEqualTo(43);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void secret_whoseWritingWasCutOff_isMadeAgain() throws Exception {
        Path secrets = Files.createDirectory(data.resolve("secrets"));
        Files.writeString(secrets.resolve("cluster.new"), "ha");

        assertThat(SecretFile.read(SecretFile.ensure(data, "cluster"))).hasSizeGreaterThanOrEqualTo(43);
        assertThat(secrets.toFile().list()).containsExactly("cluster");
    }
}
