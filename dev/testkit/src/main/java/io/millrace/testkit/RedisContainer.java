package io.millrace.testkit;

import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** A Redis in a container, on machines with Docker. */
final class RedisContainer {

    private static final String IMAGE = "valkey/valkey:9.0.8-alpine";
    private static final int PORT = 6379;

    private RedisContainer() {}

    /** Starts a container and returns its URL, or null if Docker is not available. */
    static @Nullable String startIfDockerAnswers() {
        return Quiet.call(
                        "org.testcontainers",
                        () -> DockerClientFactory.instance().isDockerAvailable())
                ? started()
                : null;
    }

    @SuppressWarnings("resource") // lives as long as the JVM; Testcontainers removes it
    private static String started() {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(IMAGE))
                .withExposedPorts(PORT)
                .withCommand("valkey-server", "--save", "", "--hash-max-listpack-value", "4096");
        container.start();
        return "redis://" + container.getHost() + ":" + container.getMappedPort(PORT);
    }
}
