package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks docker-compose.yml without Docker: its keys, references, ports and variables. */
class ComposeTest {

    private static final Path FILE = Repository.ROOT.resolve("docker-compose.yml");
    private static final Set<String> TOP_LEVEL = Set.of("services", "volumes");
    private static final Set<String> OF_A_SERVICE = Set.of(
            "image",
            "build",
            "command",
            "entrypoint",
            "environment",
            "ports",
            "volumes",
            "depends_on",
            "healthcheck",
            "stop_grace_period",
            "restart");
    private static final Set<String> OF_A_HEALTH_CHECK =
            Set.of("test", "interval", "timeout", "retries", "start_period");
    private static final Set<String> OURS =
            Set.of("metakv-service", "subdoc-service", "eventing-service", "ui-gateway");

    /** In a Dockerfile, a stage is built from one of its arguments or from a stage before it. */
    private static final Pattern IMAGE = Pattern.compile(
            "^\\s*(?:image: |ARG (?:JDK|BASE)=|FROM (?!\\$\\{(?:JDK|BASE)}|distribution ))(\\S+)", Pattern.MULTILINE);

    /** A version of all numbers that its images have. Valkey is at least the version that has the corrections of Redis. */
    private static final Map<String, String> EXACT_TAGS = Map.of(
            "valkey/valkey", ":(9|\\d{2})\\.\\d+\\.\\d+-alpine(@sha256:\\w+)?",
            "eclipse-temurin", ":25\\.\\d+\\.\\d+[.\\d]*_\\d+-jdk(@sha256:\\w+)?",
            "debian", ":\\d+\\.\\d+-slim(@sha256:\\w+)?");

    private final String text = Repository.read(FILE);
    private final YamlTree compose = YamlTree.load(FILE).get(0);
    private final Map<String, YamlTree> services = compose.at("services").fields();

    @Test
    void keys_areKnown() {
        assertThat(TOP_LEVEL).containsAll(compose.keys());
        assertThat(services).allSatisfy((name, service) -> {
            assertThat(OF_A_SERVICE).as(name).containsAll(service.keys());
            assertThat(OF_A_HEALTH_CHECK)
                    .as(name)
                    .containsAll(service.at("healthcheck").keys());
        });
    }

    @Test
    void services_areRedisAndTheServicesOfMillrace() {
        assertThat(services)
                .containsOnlyKeys(
                        "secrets", "redis", "metakv-service", "subdoc-service", "eventing-service", "ui-gateway");
    }

    @Test
    void dependencies_areServicesWithAHealthCheck() {
        services.forEach((name, service) -> service.at("depends_on").fields().forEach((target, condition) -> {
            if (target.equals("secrets")) {
                assertThat(condition.value()).isEqualTo(Map.of("condition", "service_completed_successfully"));
                return;
            }
            assertThat(condition.value()).isEqualTo(Map.of("condition", "service_healthy"));
            assertThat(service(target).keys()).as("what %s depends on", name).contains("healthcheck");
        }));
    }

    @Test
    void builds_nameExistingFilesAndModules() {
        for (String name : OURS) {
            YamlTree build = service(name).at("build");
            Path context = Repository.ROOT.resolve(build.at("context").text());

            assertThat(context.resolve(build.at("dockerfile").text())).isRegularFile();
            assertThat(build.at("args").value()).isEqualTo(Map.of("SERVICE", name));
            assertThat(Repository.ROOT.resolve(name).resolve("pom.xml")).isRegularFile();
        }
    }

    /**
     * A tag that moves, such as that of Redis 7.2 or of Java 25, stands for another image tomorrow, and on a machine that has
     * pulled it once for one without corrections.
     */
    @ParameterizedTest
    @ValueSource(strings = {"docker-compose.yml", "docker/Dockerfile", "k8s"})
    void imagesOfOthers_haveExactVersions(String place) throws IOException {
        List<String> images = imagesOfOthers(place);

        assertThat(images).isNotEmpty().allSatisfy(image -> {
            String name = image.split("[:@]", 2)[0];
            assertThat(EXACT_TAGS).as("%s in %s", image, place).containsKey(name);
            assertThat(image.substring(name.length()))
                    .as("the tag of %s in %s", image, place)
                    .matches(EXACT_TAGS.get(name));
        });
    }

    /** What docker-compose, Kubernetes manifests and Dockerfiles name, without what is made here. */
    private static List<String> imagesOfOthers(String place) throws IOException {
        List<String> images = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Repository.ROOT.resolve(place))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher line = IMAGE.matcher(Repository.read(file));
                while (line.find()) {
                    images.add(line.group(1));
                }
            }
        }
        images.removeIf(image -> image.startsWith("millrace/"));
        return images;
    }

    @Test
    void healthChecks_useThePortOfTheService() {
        for (String name : OURS) {
            assertThat(service(name).at("healthcheck", "test").texts())
                    .containsExactly("CMD", "/app/healthy", port(name));
        }
    }

    @Test
    void addresses_nameExistingServicesAndPorts() {
        Pattern address = Pattern.compile("(?:http|redis)://(?:[a-z-]+@)?([a-z-]+):(\\d+)");
        services.forEach((name, service) -> service.at("environment").fields().forEach((variable, value) -> {
            Matcher matcher = address.matcher(value.text());
            while (matcher.find()) {
                assertThat(matcher.group(2))
                        .as("%s=%s of %s", variable, value.text(), name)
                        .isEqualTo(matcher.group(1).equals("redis") ? "6379" : port(matcher.group(1)));
            }
        }));
    }

    @Test
    void variables_areReadByTheServices() {
        Set<String> known = ServiceVariables.read();
        for (String name : OURS) {
            assertThat(known)
                    .as(name)
                    .containsAll(service(name).at("environment").keys());
        }
    }

    @Test
    void functions_cannotCallTheServices() {
        String refused = service("eventing-service")
                .at("environment", "MILLRACE_CURL_REFUSED")
                .text();

        assertThat(refused).contains("localhost", "redis").contains(OURS);
    }

    @Test
    void everyVariable_hasADefault() {
        Matcher matcher = Pattern.compile("\\$\\{[^}]*}").matcher(text);
        while (matcher.find()) {
            assertThat(matcher.group()).contains(":-");
        }
    }

    @Test
    void ports_areUniqueAndBoundToLoopback() {
        List<String> ports = services.values().stream()
                .flatMap(service -> service.at("ports").texts().stream())
                .toList();

        assertThat(ports).isNotEmpty().doesNotHaveDuplicates().allMatch(port -> port.startsWith("127.0.0.1:"));
    }

    /** Scaling excludes a fixed port or name; a container that stops needs time to release its vbuckets. */
    @Test
    void eventingService_canBeScaled() {
        YamlTree eventing = service("eventing-service");

        assertThat(eventing.keys()).doesNotContain("ports", "container_name");
        assertThat(eventing.at("environment").keys()).doesNotContain("MILLRACE_NODE_ID", "MILLRACE_ADVERTISE_URL");
        assertThat(Repository.read(Repository.ROOT.resolve("docker/start"))).contains("MILLRACE_NODE_ID=\"$HOSTNAME\"");
        assertThat(eventing.at("stop_grace_period").text()).isEqualTo("60s");
    }

    @Test
    void volumes_areDeclaredAndUsed() {
        List<String> used = services.values().stream()
                .flatMap(service -> service.at("volumes").texts().stream())
                .map(volume -> volume.substring(0, volume.indexOf(':')))
                .filter(volume -> !volume.startsWith("."))
                .distinct()
                .toList();

        assertThat(used)
                .containsExactlyInAnyOrderElementsOf(compose.at("volumes").keys());
    }

    /** Each container has its own volume of secrets; only the one that makes them has all. */
    @Test
    void secrets_areSeenByTheirServiceOnly() {
        for (String name : OURS) {
            String own = name.substring(name.startsWith("ui-") ? 3 : 0).replace("-service", "") + "-secrets";
            assertThat(service(name).at("volumes").texts())
                    .filteredOn(volume -> volume.contains("secrets"))
                    .containsExactly(own + ":/run/millrace:ro");
            assertThat(service(name)
                            .at("environment", "MILLRACE_CLUSTER_SECRET_FILE")
                            .text())
                    .isEqualTo("/run/millrace/cluster");
            assertThat(service("secrets").at("volumes").texts()).contains(own + ":/secrets/" + name);
        }
    }

    /** The lines outlive the container; a new container of the service begins another trail on the volume. */
    @Test
    void trails_areOnAVolumeOfTheirService() {
        for (String name : OURS) {
            String directory =
                    service(name).at("environment", "MILLRACE_AUDIT_DIR").text();
            assertThat(service(name).at("volumes").texts())
                    .filteredOn(volume -> volume.endsWith(":" + directory))
                    .singleElement()
                    .satisfies(volume -> assertThat(services.values().stream()
                                    .flatMap(other -> other.at("volumes").texts().stream())
                                    .filter(volume::equals))
                            .hasSize(1));
            assertThat(Repository.read(Repository.ROOT.resolve("docker/Dockerfile")))
                    .contains("chown 10001:10001 /var/log/millrace " + directory);
        }
        assertThat(Repository.read(Repository.ROOT.resolve("docker/start")))
                .contains("MILLRACE_AUDIT_DIR=\"$MILLRACE_AUDIT_DIR/$HOSTNAME\"");
    }

    @Test
    void redis_answersUsersOnly_andEveryServiceIsOne() {
        assertThat(service("redis").at("command").texts()).containsSequence("--aclfile", "/run/millrace/users.acl");
        for (String name : List.of("metakv-service", "subdoc-service", "eventing-service")) {
            YamlTree environment = service(name).at("environment");
            assertThat(environment.at("REDIS_URL").text()).contains("redis://" + name + "@");
            assertThat(environment.at("MILLRACE_REDIS_PASSWORD_FILE").text()).isEqualTo("/run/millrace/redis-password");
        }
    }

    @Test
    void redis_keepsItsData() {
        assertThat(service("redis").at("command").texts())
                .containsSequence("--appendonly", "yes")
                .containsSequence("--maxmemory-policy", "noeviction");
        assertThat(service("redis").at("volumes").texts()).contains("redis-data:/data");
    }

    private YamlTree service(String name) {
        assertThat(services).containsKey(name);
        return compose.at("services", name);
    }

    private String port(String name) {
        return service(name).at("environment", "SERVER_PORT").text();
    }
}
