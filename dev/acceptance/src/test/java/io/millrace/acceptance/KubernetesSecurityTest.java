package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who may connect to whom in Kubernetes, and which secrets each pod has; read from the files, without a cluster. */
class KubernetesSecurityTest {

    private static final Path K8S = Repository.ROOT.resolve("k8s");
    private static final List<String> PODS =
            List.of("redis", "metakv-service", "subdoc-service", "eventing-service", "ui-gateway");
    private static final List<String> WITH_DATA = List.of("metakv-service", "subdoc-service", "eventing-service");

    @Test
    void everyPod_isBehindANetworkPolicy() {
        List<YamlTree> policies = YamlTree.load(K8S.resolve("base/network-policies.yaml"));

        assertThat(policies)
                .extracting(policy -> policy.at("spec", "podSelector", "matchLabels")
                        .fields()
                        .values()
                        .iterator()
                        .next()
                        .text())
                .containsExactlyInAnyOrderElementsOf(PODS);
        assertThat(policies)
                .allSatisfy(policy ->
                        assertThat(policy.at("spec", "policyTypes").texts()).contains("Ingress"));
    }

    @Test
    void redis_isReachedByTheServicesWithDataOnly() {
        assertThat(policy("redis").at("policyTypes").texts()).containsExactly("Ingress", "Egress");
        assertThat(policy("redis").at("egress").items()).isEmpty();
        assertThat(callers("redis")).containsExactly("redis: " + WITH_DATA);
    }

    /** The gateway is the only one that everybody reaches, and metrics the only thing that is read from another namespace. */
    @Test
    void services_areReachedByTheServicesThatCallThem() {
        assertThat(callers("metakv-service"))
                .containsExactly(
                        "http: [subdoc-service, eventing-service, ui-gateway]", "http: [namespace monitoring]");
        assertThat(callers("eventing-service"))
                .containsExactly(
                        "http: [ui-gateway, metakv-service, eventing-service]", "http: [namespace monitoring]");
        assertThat(callers("subdoc-service"))
                .containsExactly(
                        "http: [ui-gateway]",
                        "http, kv, kv-tls: [millrace-client=true in all namespaces]",
                        "http: [namespace monitoring]");
        assertThat(callers("ui-gateway")).containsExactly("http: everybody");
    }

    private static YamlTree policy(String pod) {
        return YamlTree.load(K8S.resolve("base/network-policies.yaml")).stream()
                .map(policy -> policy.at("spec"))
                .filter(spec -> label(spec.at("podSelector")).equals(pod))
                .findFirst()
                .orElseThrow();
    }

    /** The rules of a policy: ports, and who reaches them. */
    private static List<String> callers(String pod) {
        return policy(pod).at("ingress").items().stream()
                .map(rule -> {
                    List<String> ports = rule.at("ports").items().stream()
                            .map(port -> port.at("port").text())
                            .toList();
                    List<String> from = rule.at("from").items().stream()
                            .map(KubernetesSecurityTest::caller)
                            .toList();
                    assertThat(ports)
                            .as("a rule without ports is one for all ports")
                            .isNotEmpty();
                    return String.join(", ", ports) + ": " + (rule.keys().contains("from") ? from : "everybody");
                })
                .toList();
    }

    private static String caller(YamlTree from) {
        if (!from.keys().contains("podSelector")) {
            return "namespace " + label(from.at("namespaceSelector"));
        }
        boolean everywhere = from.keys().contains("namespaceSelector");
        return label(from.at("podSelector")) + (everywhere ? " in all namespaces" : "");
    }

    private static String label(YamlTree selector) {
        return selector.at("matchLabels").fields().entrySet().stream()
                .findFirst()
                .map(label -> label.getKey().endsWith("name")
                        ? label.getValue().text()
                        : label.getKey() + "=" + label.getValue().text())
                .orElse("any");
    }

    @Test
    void everyPod_mountsItsOwnSecret() {
        for (String pod : PODS) {
            YamlTree spec =
                    YamlTree.load(K8S.resolve("base/" + pod + ".yaml")).get(0).at("spec", "template", "spec");

            assertThat(spec.at("volumes").items())
                    .filteredOn(volume -> volume.keys().contains("secret"))
                    .singleElement()
                    .satisfies(volume ->
                            assertThat(volume.at("secret", "secretName").text()).isEqualTo("millrace-" + pod));
        }
    }

    @Test
    void trails_areOnVolumesThatOutliveTheirPods() {
        String directory = YamlTree.load(K8S.resolve("base/kustomization.yaml"))
                .get(0)
                .at("configMapGenerator")
                .items()
                .get(0)
                .at("literals")
                .texts()
                .stream()
                .filter(literal -> literal.startsWith("MILLRACE_AUDIT_DIR="))
                .map(literal -> literal.substring(literal.indexOf('=') + 1))
                .findFirst()
                .orElseThrow();
        for (String pod : PODS.subList(1, PODS.size())) {
            YamlTree manifest =
                    YamlTree.load(K8S.resolve("base/" + pod + ".yaml")).get(0);
            String volume =
                    manifest
                            .at("spec", "template", "spec", "containers")
                            .items()
                            .get(0)
                            .at("volumeMounts")
                            .items()
                            .stream()
                            .filter(mount -> mount.at("mountPath").text().equals(directory))
                            .map(mount -> mount.at("name").text())
                            .findFirst()
                            .orElseThrow(() -> new AssertionError(pod + " mounts nothing at " + directory));
            assertThat(manifest.at("spec", "volumeClaimTemplates").items())
                    .extracting(claim -> claim.at("metadata", "name").text())
                    .contains(volume);
        }
    }

    @Test
    void services_areUsersOfRedis() {
        for (String service : WITH_DATA) {
            String manifest = Repository.read(K8S.resolve("base/" + service + ".yaml"));

            assertThat(manifest).contains("redis://" + service + "@redis:6379", "/run/millrace/redis-password");
        }
        assertThat(Repository.read(K8S.resolve("base/redis.yaml"))).contains("--aclfile", "/run/millrace/users.acl");
    }

    @Test
    void secretsScript_makesWhatThePodsMount() throws Exception {
        Map<String, YamlTree> secrets = new HashMap<>();
        YamlTree.parse(printed())
                .forEach(secret -> secrets.put(secret.at("metadata", "name").text(), secret));

        assertThat(secrets).hasSize(5);
        assertThat(value(secrets, "millrace-subdoc-service", "admin-password")).hasSizeGreaterThan(40);
        String users = value(secrets, "millrace-redis", "users.acl");
        assertThat(users).contains("user default off");
        for (String service : WITH_DATA) {
            assertThat(users).contains("user " + service + " on #");
            assertThat(value(secrets, "millrace-" + service, "redis-password")).hasSizeGreaterThan(40);
            assertThat(value(secrets, "millrace-" + service, "cluster"))
                    .isEqualTo(value(secrets, "millrace-ui-gateway", "cluster"));
        }
        assertThat(Base64.getDecoder().decode(value(secrets, "millrace-eventing-service", "master-key")))
                .hasSize(32);
    }

    private static String value(Map<String, YamlTree> secrets, String name, String key) {
        YamlTree value =
                Objects.requireNonNull(secrets.get(name)).at("data").fields().get(key);
        String encoded = Objects.requireNonNull(value).text();
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8).strip();
    }

    private static String printed() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", K8S.resolve("secrets").toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
