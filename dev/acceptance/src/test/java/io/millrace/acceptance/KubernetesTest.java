package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks the Kubernetes files without a cluster: fields are known and have their types, references resolve. */
class KubernetesTest {

    private static final Path K8S = Repository.ROOT.resolve("k8s");
    private static final Path BASE = K8S.resolve("base");

    /** One Kubernetes object of a file. */
    private record Manifest(Path file, YamlTree fields) {
        String kind() {
            return fields.at("kind").text();
        }

        String name() {
            return fields.at("metadata", "name").text();
        }

        Kind type() {
            Kind type = KINDS.get(kind());
            if (type == null) {
                throw new AssertionError(
                        Repository.name(file) + " has a " + kind() + ", which this test does not know");
            }
            return type;
        }

        JsonElement json() {
            return new Gson().toJsonTree(fields.value());
        }

        /** Checks the names and types of fields, but not whether required fields are present. */
        Object parsed() {
            return JSON.getGson().fromJson(json(), type().type());
        }
    }

    private interface Validator {
        void validate(JsonElement json) throws IOException;
    }

    private record Kind(Class<?> type, Validator validator) {}

    private static final Map<String, Kind> KINDS = Map.of(
            "Deployment", new Kind(V1Deployment.class, V1Deployment::validateJsonElement),
            "StatefulSet", new Kind(V1StatefulSet.class, V1StatefulSet::validateJsonElement),
            "Service", new Kind(V1Service.class, V1Service::validateJsonElement),
            "Namespace", new Kind(V1Namespace.class, V1Namespace::validateJsonElement),
            "PodDisruptionBudget", new Kind(V1PodDisruptionBudget.class, V1PodDisruptionBudget::validateJsonElement),
            "NetworkPolicy", new Kind(V1NetworkPolicy.class, V1NetworkPolicy::validateJsonElement),
            "HorizontalPodAutoscaler",
                    new Kind(V2HorizontalPodAutoscaler.class, V2HorizontalPodAutoscaler::validateJsonElement));

    private static final Set<String> KUSTOMIZATION_KEYS =
            Set.of("apiVersion", "kind", "namespace", "resources", "configMapGenerator", "patches", "images");

    private final List<Manifest> manifests = manifests(false);

    @Test
    void manifests_haveOnlyKnownFieldsAndAllRequiredOnesOfTheRightTypes() {
        assertThat(manifests).hasSizeGreaterThan(10).allSatisfy(manifest -> {
            manifest.type().validator().validate(manifest.json());
            manifest.parsed();
        });
    }

    @Test
    void validation_ofAMisspeltField_fails() {
        Manifest wrong = deployment(Map.of("replica", 1));

        assertThatThrownBy(() -> wrong.type().validator().validate(wrong.json()))
                .hasMessageContaining("replica");
    }

    @Test
    void validation_ofAWrongType_fails() {
        Manifest wrong = deployment(Map.of("replicas", "many"));

        assertThatThrownBy(() -> wrong.parsed()).hasMessageContaining("many");
    }

    @Test
    void patches_onTheirObjects_makeValidObjects() {
        List<Manifest> patches = manifests(true);

        assertThat(patches).isNotEmpty().allSatisfy(patch -> {
            Manifest patched = new Manifest(patch.file(), inBase(patch).fields().patchedWith(patch.fields()));
            patched.type().validator().validate(patched.json());
            assertThat(Objects.requireNonNull(pod(patched)).getContainers()).hasSize(1);
        });
    }

    @Test
    void kustomizations_nameExistingFilesAndEveryFile() {
        for (Path kustomization : kustomizations()) {
            YamlTree fields = YamlTree.load(kustomization).get(0);
            assertThat(KUSTOMIZATION_KEYS).as(Repository.name(kustomization)).containsAll(fields.keys());

            List<String> named = new ArrayList<>(fields.at("resources").texts());
            fields.at("patches").items().stream()
                    .filter(patch -> patch.keys().contains("path"))
                    .forEach(patch -> named.add(patch.at("path").text()));
            assertThat(named)
                    .allSatisfy(name ->
                            assertThat(kustomization.resolveSibling(name)).exists());
            assertThat(Repository.files(".yaml"))
                    .filteredOn(file -> file.equals(kustomization.resolveSibling(file.getFileName())))
                    .filteredOn(file -> !file.equals(kustomization))
                    .extracting(file -> file.getFileName().toString())
                    .allMatch(named::contains);
        }
    }

    @Test
    void images_ofOverlays_areTheImagesOfTheBase() {
        List<String> images = manifests.stream()
                .map(KubernetesTest::pod)
                .filter(Objects::nonNull)
                .flatMap(pod -> pod.getContainers().stream())
                .map(V1Container::getImage)
                .filter(image -> image.startsWith("millrace/"))
                .toList();

        for (String overlay : List.of("dev", "prod")) {
            YamlTree kustomization = YamlTree.load(K8S.resolve("overlays/" + overlay + "/kustomization.yaml"))
                    .get(0);
            assertThat(kustomization.at("images").items())
                    .extracting(image -> image.at("name").text())
                    .containsExactlyInAnyOrderElementsOf(images);
        }
    }

    /** Nothing publishes images, so a version here would name one that does not exist. */
    @Test
    void productionImages_arePlaceholdersUntilTheOperatorSetsThem() {
        Path file = K8S.resolve("overlays/prod/kustomization.yaml");

        assertThat(YamlTree.load(file).get(0).at("images").items()).allSatisfy(image -> {
            assertThat(image.at("newName").text())
                    .isEqualTo("registry.example.com/team/" + image.at("name").text());
            assertThat(image.at("newTag").text()).isEqualTo("set-me");
        });
        assertThat(Repository.read(file)).contains("./millrace images --push");
    }

    @Test
    void pods_runUnprivileged() {
        assertThat(pods()).hasSize(5).allSatisfy(pod -> {
            assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod.getSecurityContext().getRunAsUser()).isPositive();
            assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
            assertThat(pod.getAutomountServiceAccountToken()).isFalse();
            assertThat(pod.getContainers()).allSatisfy(container -> {
                assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                        .isFalse();
                assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                        .isTrue();
                assertThat(container.getSecurityContext().getCapabilities().getDrop())
                        .containsExactly("ALL");
            });
        });
    }

    @Test
    void containers_haveProbesAndResources() {
        assertThat(pods()).flatMap(V1PodSpec::getContainers).allSatisfy(container -> {
            assertThat(container.getStartupProbe()).isNotNull();
            assertThat(container.getReadinessProbe()).isNotNull();
            assertThat(container.getLivenessProbe()).isNotNull();
            assertThat(container.getResources().getRequests()).containsKeys("cpu", "memory");
            assertThat(container.getResources().getLimits()).containsKey("memory");
        });
    }

    @Test
    void containers_setOnlyVariablesThatTheServicesRead() {
        Set<String> known = ServiceVariables.read();
        YamlTree base = YamlTree.load(BASE.resolve("kustomization.yaml")).get(0);
        for (YamlTree generator : base.at("configMapGenerator").items()) {
            assertThat(generator.at("literals").texts())
                    .allSatisfy(literal -> assertThat(known).contains(literal.substring(0, literal.indexOf('='))));
        }
        assertThat(pods()).flatMap(V1PodSpec::getContainers).allSatisfy(container -> {
            if (container.getEnv() != null) {
                assertThat(container.getEnv())
                        .allSatisfy(variable -> assertThat(known).contains(variable.getName()));
            }
        });
    }

    @Test
    void services_selectPodsAndTheirPorts() {
        for (Manifest manifest : manifests) {
            if (manifest.kind().equals("Service")) {
                V1Service service = (V1Service) manifest.parsed();
                V1PodTemplateSpec target = templates().stream()
                        .filter(template -> template.getMetadata()
                                .getLabels()
                                .entrySet()
                                .containsAll(service.getSpec().getSelector().entrySet()))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(manifest.name() + " selects nothing"));
                assertThat(target.getSpec().getContainers())
                        .flatMap(V1Container::getPorts)
                        .anySatisfy(port -> {
                            assertThat(port.getName())
                                    .isEqualTo(service.getSpec()
                                            .getPorts()
                                            .get(0)
                                            .getTargetPort()
                                            .getStrValue());
                            assertThat(port.getContainerPort())
                                    .isEqualTo(
                                            service.getSpec().getPorts().get(0).getPort());
                        });
            }
        }
    }

    @Test
    void redis_keepsItsDataOnAVolume() {
        V1StatefulSet redis = (V1StatefulSet) manifests.stream()
                .filter(manifest ->
                        manifest.kind().equals("StatefulSet") && manifest.name().equals("redis"))
                .findFirst()
                .orElseThrow()
                .parsed();

        assertThat(redis.getSpec().getVolumeClaimTemplates()).hasSize(1);
        assertThat(redis.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getCommand())
                .containsSequence("--appendonly", "yes")
                .containsSequence("--maxmemory-policy", "noeviction");
    }

    /** The name of a pod is the name of its node and survives restarts; a pod has time to release its vbuckets. */
    @Test
    void eventingPods_areNamedNodesWithTimeToShutDown() {
        V1StatefulSet eventing = (V1StatefulSet) manifests.stream()
                .filter(manifest ->
                        manifest.kind().equals("StatefulSet") && manifest.name().equals("eventing-service"))
                .findFirst()
                .orElseThrow()
                .parsed();

        V1PodSpec pod = eventing.getSpec().getTemplate().getSpec();
        assertThat(pod.getTerminationGracePeriodSeconds()).isGreaterThanOrEqualTo(90);
        assertThat(pod.getContainers().get(0).getEnv())
                .filteredOn(variable -> variable.getName().equals("MILLRACE_NODE_ID"))
                .singleElement()
                .satisfies(variable -> assertThat(
                                variable.getValueFrom().getFieldRef().getFieldPath())
                        .isEqualTo("metadata.name"));
        assertThat(manifests)
                .filteredOn(manifest -> manifest.kind().equals("Service"))
                .extracting(Manifest::name)
                .contains(eventing.getSpec().getServiceName());
    }

    /** A pod that ends has released its vbuckets before the next one ends. */
    @Test
    void eventingPods_endOneAtATimeAndScaleWithTheBacklog() {
        V1PodDisruptionBudget budget = (V1PodDisruptionBudget) named("PodDisruptionBudget", "eventing-service");
        assertThat(budget.getSpec().getMaxUnavailable().getIntValue()).isEqualTo(1);

        V2HorizontalPodAutoscaler autoscaler =
                (V2HorizontalPodAutoscaler) named("HorizontalPodAutoscaler", "eventing-service");
        assertThat(autoscaler.getSpec().getScaleTargetRef().getKind()).isEqualTo("StatefulSet");
        assertThat(autoscaler.getSpec().getScaleTargetRef().getName()).isEqualTo("eventing-service");
        assertThat(autoscaler.getSpec().getMetrics())
                .extracting(metric -> metric.getExternal().getMetric().getName())
                .containsExactly("millrace_largest_backlog");
        assertThat(autoscaler.getSpec().getBehavior().getScaleDown().getPolicies())
                .extracting(policy -> policy.getValue())
                .containsExactly(1);
    }

    /** With a replica count, every apply would undo the decisions of the autoscaler. */
    @Test
    void autoscaledPods_haveNoReplicaCountInTheFiles() {
        YamlTree patch = YamlTree.load(K8S.resolve("overlays/autoscale/kustomization.yaml"))
                .get(0)
                .at("patches")
                .items()
                .get(0);

        assertThat(patch.at("target").fields())
                .containsEntry("kind", new YamlTree("StatefulSet"))
                .containsEntry("name", new YamlTree("eventing-service"));
        assertThat(YamlTree.parse(patch.at("patch").text()).get(0).items())
                .singleElement()
                .satisfies(operation -> {
                    assertThat(operation.at("op").text()).isEqualTo("remove");
                    assertThat(operation.at("path").text()).isEqualTo("/spec/replicas");
                });
    }

    /** A new pod takes its share only when its workers have started; a rolling update waits for that. */
    @Test
    void updates_keepAReadyPodOfEveryService() {
        V1StatefulSet eventing = (V1StatefulSet) named("StatefulSet", "eventing-service");
        assertThat(eventing.getSpec().getMinReadySeconds()).isGreaterThanOrEqualTo(30);

        List<String> twice = manifests(true).stream()
                .filter(patch -> patch.fields().at("spec", "replicas").text().equals("2"))
                .map(Manifest::name)
                .toList();
        assertThat(twice)
                .containsExactlyInAnyOrder("metakv-service", "subdoc-service", "ui-gateway", "eventing-service")
                .allSatisfy(
                        name -> assertThat(named("PodDisruptionBudget", name)).isNotNull());
    }

    private Object named(String kind, String name) {
        return manifests.stream()
                .filter(manifest ->
                        manifest.kind().equals(kind) && manifest.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no " + kind + " " + name))
                .parsed();
    }

    private List<V1PodSpec> pods() {
        return templates().stream().map(V1PodTemplateSpec::getSpec).toList();
    }

    private List<V1PodTemplateSpec> templates() {
        return manifests.stream()
                .map(KubernetesTest::template)
                .filter(Objects::nonNull)
                .toList();
    }

    private Manifest inBase(Manifest patch) {
        return manifests.stream()
                .filter(manifest -> manifest.file().startsWith(BASE))
                .filter(manifest ->
                        manifest.kind().equals(patch.kind()) && manifest.name().equals(patch.name()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("The base has no object that matches the patch " + patch));
    }

    private static @Nullable V1PodSpec pod(Manifest manifest) {
        V1PodTemplateSpec template = template(manifest);
        return template == null ? null : template.getSpec();
    }

    private static @Nullable V1PodTemplateSpec template(Manifest manifest) {
        return switch (manifest.parsed()) {
            case V1Deployment deployment -> deployment.getSpec().getTemplate();
            case V1StatefulSet set -> set.getSpec().getTemplate();
            default -> null;
        };
    }

    private static List<Path> kustomizations() {
        return Repository.files("kustomization.yaml");
    }

    private static List<Manifest> manifests(boolean patches) {
        List<Manifest> found = new ArrayList<>();
        for (Path file : Repository.files(".yaml")) {
            boolean patch = file.getFileName().toString().equals("scale.yaml");
            if (file.startsWith(K8S) && !file.endsWith("kustomization.yaml") && patch == patches) {
                YamlTree.load(file).forEach(fields -> found.add(new Manifest(file, fields)));
            }
        }
        return found;
    }

    private static Manifest deployment(Map<String, Object> spec) {
        return new Manifest(
                BASE, new YamlTree(Map.of("kind", "Deployment", "metadata", Map.of("name", "x"), "spec", spec)));
    }
}
