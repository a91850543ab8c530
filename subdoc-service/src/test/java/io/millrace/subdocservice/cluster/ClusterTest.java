package io.millrace.subdocservice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ClusterTest {

    private static JsonNode nodes(String gateway) {
        Cluster cluster = new Cluster(gateway);
        cluster.publish(7, ClusterPorts.plain(11210, 8081));
        String json = new String(cluster.config().orElseThrow().nodeServices(), StandardCharsets.UTF_8);
        return JsonMapper.shared().readTree(json).path("nodesExt");
    }

    @Test
    void gatewayOfThisMachine_isAPortOfThisNode() {
        JsonNode nodes = nodes("http://127.0.0.1:8080");

        assertThat(nodes.size()).isOne();
        assertThat(nodes.path(0).path("services").path("eventingAdminPort").asInt())
                .isEqualTo(8080);
        assertThat(nodes.path(0).path("services").path("kv").asInt()).isEqualTo(11210);
    }

    @Test
    void gatewayElsewhere_isANodeWithEventingAlone() {
        JsonNode nodes = nodes("https://ui-gateway:8443");

        assertThat(nodes.path(0).path("services").has("eventingSSL")).isFalse();
        assertThat(nodes.path(1).toString()).isEqualTo("""
                {"hostname":"ui-gateway","services":{"eventingSSL":8443}}""");
    }

    @Test
    void noGateway_isNoEventing() {
        assertThat(nodes("").toString()).doesNotContain("eventing");
    }

    @Test
    void urlWithoutAPort_isRefusedInWords() {
        assertThatThrownBy(() -> new Cluster("http://gateway"))
                .hasMessageContaining("MILLRACE_GATEWAY_URL is http://gateway. Set it to a URL with a host and a port");
    }
}
