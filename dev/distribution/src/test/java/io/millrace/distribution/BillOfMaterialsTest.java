package io.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BillOfMaterialsTest {

    private static final String MAVEN = """
        {"bomFormat":"CycloneDX","specVersion":"1.6","serialNumber":"urn:uuid:1","metadata":{"timestamp":"now"},
         "components":[
           {"bom-ref":"a","name":"netty-epoll","version":"4.2"},
           {"bom-ref":"b","name":"json","version":"0.1.0"},
           {"bom-ref":"c","name":"only-for-tests","version":"1"}],
         "dependencies":[{"ref":"b","dependsOn":["a","c"]},{"ref":"c","dependsOn":["a"]}]}\
        """;

    @Test
    void bill_hasWhatTheDistributionContains() {
        BillOfMaterials bill = new BillOfMaterials(MAVEN);
        bill.keepOnly(List.of("netty-epoll-4.2-linux-x86_64.jar", "netty-epoll-4.2.jar", "json.jar"), List.of());
        bill.add("redis", "7.0.15", "BSD-3-Clause");

        JsonNode document = JsonMapper.shared().readTree(bill.json("millrace", "0.1.0"));

        assertThat(document.path("components")
                        .valueStream()
                        .map(each -> each.path("name").asString()))
                .containsExactly("netty-epoll", "json", "redis");
        assertThat(document.path("components")
                        .path(2)
                        .path("licenses")
                        .path(0)
                        .path("license")
                        .path("id")
                        .asString())
                .isEqualTo("BSD-3-Clause");
        assertThat(document.path("metadata").path("component").path("version").asString())
                .isEqualTo("0.1.0");
        assertThat(document.path("dependencies").path(0).path("dependsOn").size())
                .isEqualTo(3);
        assertThat(document.path("dependencies").path(1).toString()).isEqualTo("{\"ref\":\"b\",\"dependsOn\":[\"a\"]}");
        assertThat(document.has("serialNumber"))
                .as("the same distribution has the same bill")
                .isFalse();
    }

    @Test
    void jarWithoutComponent_isRefused() {
        BillOfMaterials bill = new BillOfMaterials(MAVEN);

        assertThatThrownBy(() -> bill.keepOnly(List.of("json.jar", "smuggled-1.jar"), List.of()))
                .isInstanceOf(DistributionException.class)
                .hasMessageContaining("does not have smuggled-1.jar");
    }

    @Test
    void jarThatAPluginBrings_isDescribedByTheBuild() {
        BillOfMaterials bill = new BillOfMaterials(MAVEN);
        bill.keepOnly(
                List.of("compiler-25.0.3.jar"), List.of(new BillOfMaterials.Jar("org.graalvm", "compiler", "UPL-1.0")));

        assertThat(bill.json("millrace", "0.1.0")).contains("pkg:maven/org.graalvm/compiler@25.0.3?type=jar");
    }

    @ParameterizedTest
    @CsvSource({"Linux, amd64, linux-x64", "Linux, aarch64, linux-arm64", "Mac OS X, aarch64, macos-arm64"})
    void platform_isNamedAfterSystemAndMachine(String os, String machine, String name) {
        assertThat(Platform.name(os, machine)).isEqualTo(name);
    }

    @Test
    void platformWithoutRedis_isRefused() {
        assertThatThrownBy(() -> Platform.name("Linux", "riscv64")).hasMessageContaining("no bundled Redis");
    }
}
