package io.millrace.launcher.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.launcher.doctor.Finding.Grade;
import io.millrace.launcher.redis.RedisServer;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.SuiteSettings;
import io.millrace.launcher.tls.LocalCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorIT {

    @TempDir
    Path directory;

    @Test
    void healthyMachine_hasNoFailure() {
        List<Finding> findings = examine(settings(), System.getenv());

        assertThat(findings).extracting(Finding::check).contains("java", "ports", "redis", "disk", "memory");
        assertThat(findings)
                .filteredOn(finding -> List.of("ports", "redis").contains(finding.check()))
                .allSatisfy(finding -> assertThat(finding.grade()).isEqualTo(Grade.OK));
    }

    @Test
    void certificateOfTheSuite_isExamined() throws IOException {
        LocalCertificate certificate = LocalCertificate.ensure(directory.resolve("data"), List.of("localhost"));

        Finding good = finding("tls", examine(settings(), Map.of()));
        Files.setPosixFilePermissions(certificate.key(), PosixFilePermissions.fromString("rw-r--r--"));
        Finding readable = finding("tls", examine(settings(), Map.of()));
        Files.writeString(certificate.certificate(), "nonsense");
        Finding broken = finding("tls", examine(settings(), Map.of()));

        assertThat(good.grade()).isEqualTo(Grade.OK);
        assertThat(good.detail()).contains("certificate of localhost until 20");
        assertThat(readable.grade()).isEqualTo(Grade.FAILURE);
        assertThat(readable.detail()).contains("others may read");
        assertThat(broken.grade()).isEqualTo(Grade.FAILURE);
        assertThat(broken.remedy()).contains("./millrace up --tls");
    }

    @Test
    void bundledRedis_isToldUnlessTheSystemHasOne() throws IOException {
        Path server = Files.writeString(
                directory.resolve("valkey-server"), "#!/bin/sh\necho 'Valkey server v=9.1.2 sha=0'\n");
        assertThat(server.toFile().setExecutable(true)).isTrue();

        List<Finding> without = examine(settings(), Map.of("PATH", "/nowhere"));
        List<Finding> with = examine(settings(), Map.of("PATH", directory.toString()));

        assertThat(finding("bundled redis", without).grade()).isEqualTo(Grade.WARNING);
        assertThat(finding("bundled redis", without).detail()).contains(RedisServer.bundledVersion());
        assertThat(finding("bundled redis", without).remedy()).contains("Install valkey-server");
        assertThat(with).extracting(Finding::check).doesNotContain("bundled redis");
        assertThat(finding("redis", with).detail()).contains("9.1.2");
    }

    @Test
    void portInUse_hasARemedy() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Finding ports = finding("ports", examine(settings().port(Service.GATEWAY, taken.getLocalPort()), Map.of()));

            assertThat(ports.grade()).isEqualTo(Grade.FAILURE);
            assertThat(ports.detail()).contains(taken.getLocalPort() + " (ui-gateway)");
            assertThat(ports.remedy()).contains("./millrace up --port-offset ");
        }
    }

    @Test
    void redisThatForgetsOrEvicts_hasARemedy() {
        try (RedisServer redis = RedisServer.start(RedisServer.Settings.volatileIn(directory.resolve("redis"))
                .with(Map.of("maxmemory-policy", "allkeys-lru")))) {
            List<Finding> findings = examine(settings(), Map.of("REDIS_URL", redis.url()));

            assertThat(finding("redis", findings).grade()).isEqualTo(Grade.OK);
            assertThat(finding("durability", findings).grade()).isEqualTo(Grade.WARNING);
            assertThat(finding("eviction", findings).grade()).isEqualTo(Grade.FAILURE);
            assertThat(findings)
                    .filteredOn(finding -> finding.grade() != Grade.OK)
                    .allSatisfy(finding -> assertThat(finding.remedy()).isNotBlank());
        }
    }

    @Test
    void redisThatIsDown_isAFailureWithoutItsPassword() {
        Finding redis = finding("redis", examine(settings(), Map.of("REDIS_URL", "redis://:secret@127.0.0.1:1")));

        assertThat(redis.grade()).isEqualTo(Grade.FAILURE);
        assertThat(redis.detail()).contains("redis://127.0.0.1:1").doesNotContain("secret");
        assertThat(redis.remedy()).contains("unset REDIS_URL");
    }

    private static Finding finding(String check, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow();
    }

    private List<Finding> examine(SuiteSettings settings, Map<String, String> environment) {
        return new Doctor(settings, directory.resolve("data"), Optional.empty(), environment).examine();
    }

    private SuiteSettings settings() {
        return SuiteSettings.of(directory, directory.resolve("home")).freePorts();
    }
}
