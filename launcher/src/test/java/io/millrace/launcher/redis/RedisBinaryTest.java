package io.millrace.launcher.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisBinaryTest {

    @ParameterizedTest
    @CsvSource({
        "Linux,     amd64,   linux-amd64",
        "Linux,     aarch64, linux-arm64",
        "Mac OS X,  aarch64, darwin-arm64",
        "Mac OS X,  x86_64,  darwin-amd64",
    })
    void bundledName_ofAKnownPlatform_isInTheClassPath(String os, String arch, String suffix) {
        String name = RedisBinary.bundledName(os, arch);

        assertThat(name).isEqualTo("redis-server-7.0.15-" + suffix);
        assertThat(RedisBinary.class.getResource("/" + name)).isNotNull();
    }

    @Test
    void bundledName_ofAnotherPlatform_isNull() {
        assertThat(RedisBinary.bundledName("Windows 11", "amd64")).isNull();
        assertThat(RedisBinary.bundledName("Linux", "riscv64")).isNull();
    }
}
