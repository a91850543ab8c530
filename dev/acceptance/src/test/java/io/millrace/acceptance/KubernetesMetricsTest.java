package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Which pods Prometheus reads in Kubernetes, and as whom; read from the files, without a cluster. */
class KubernetesMetricsTest {

    private static final Path K8S = Repository.ROOT.resolve("k8s");
    private static final List<String> SERVICES =
            List.of("metakv-service", "subdoc-service", "eventing-service", "ui-gateway");

    private final YamlTree job = YamlTree.load(K8S.resolve("monitoring/scrape.yml"))
            .get(0)
            .at("scrape_configs")
            .items()
            .get(0);

    @Test
    void oneTarget_ofEachPodOfAService_isRead() {
        SERVICES.forEach(service -> assertThat(targets(service)).as(service).hasSize(1));
        assertThat(targets("redis")).isEmpty();
    }

    /** The ports of a pod that the rules keep. */
    private List<String> targets(String name) {
        YamlTree template =
                YamlTree.load(K8S.resolve("base/" + name + ".yaml")).get(0).at("spec", "template");
        return template.at("spec", "containers").items().get(0).at("ports").items().stream()
                .map(port -> port.at("name").text())
                .filter(port -> isKept(discovered(template, port)))
                .toList();
    }

    /** The labels that Prometheus gives to a port of a pod. */
    private static Map<String, String> discovered(YamlTree template, String port) {
        Map<String, String> labels = new HashMap<>();
        template.at("metadata", "labels")
                .fields()
                .forEach((label, value) -> labels.put(
                        "__meta_kubernetes_pod_label_" + label.replaceAll("[^a-zA-Z0-9_]", "_"), value.text()));
        labels.put("__meta_kubernetes_pod_container_port_name", port);
        labels.put("__meta_kubernetes_pod_name", "pod");
        return labels;
    }

    private boolean isKept(Map<String, String> labels) {
        return job.at("relabel_configs").items().stream().allMatch(rule -> {
            String source = rule.at("source_labels").texts().get(0);
            assertThat(labels).containsKey(source);
            return !rule.at("action").text().equals("keep")
                    || Pattern.matches(rule.at("regex").text(), labels.get(source));
        });
    }

    @Test
    void metrics_areReadWithTheKeyOfASecret() {
        assertThat(job.at("metrics_path").text()).isEqualTo("/actuator/prometheus");
        assertThat(ServiceDoors.of("eventing-service"))
                .anyMatch(route -> route.pattern().equals(job.at("metrics_path").text()));
        String file = job.at("authorization", "credentials_file").text();
        assertThat(Repository.read(Repository.ROOT.resolve("docs/how-to/kubernetes.md")))
                .contains(
                        "`" + Path.of(file).getParent() + "`",
                        "--from-file=" + Path.of(file).getFileName() + "=");
    }

    @Test
    void pods_areReadInTheNamespaceOfProduction_andFromTheOneThatPoliciesLetIn() {
        YamlTree production =
                YamlTree.load(K8S.resolve("overlays/prod/kustomization.yaml")).get(0);
        YamlTree discovery = job.at("kubernetes_sd_configs").items().get(0);

        assertThat(discovery.at("role").text()).isEqualTo("pod");
        assertThat(discovery.at("namespaces", "names").texts())
                .containsExactly(production.at("namespace").text());
        assertThat(Repository.read(K8S.resolve("base/network-policies.yaml")))
                .contains("kubernetes.io/metadata.name: monitoring");
    }

    /** A reader that follows annotations has no login, so that each of its requests is a refusal in the audit trail. */
    @Test
    void pods_haveNoAnnotationsForReadersWithoutLogins() {
        SERVICES.forEach(service -> assertThat(Repository.read(K8S.resolve("base/" + service + ".yaml")))
                .doesNotContain("prometheus.io/"));
    }
}
