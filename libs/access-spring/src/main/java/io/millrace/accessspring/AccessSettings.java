package io.millrace.accessspring;

import io.millrace.access.ClusterSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the gate stands.
 *
 * @param open whether every request without credentials has the rights of an administrator; for loopback only
 * @param clusterSecretFile the file with the secret that all services share
 */
@ConfigurationProperties("millrace.access")
record AccessSettings(
        @DefaultValue("false") boolean open,
        @DefaultValue("") String clusterSecretFile) {

    /** @throws IllegalStateException if the file cannot be read or holds no usable secret */
    Optional<ClusterSecret> clusterSecret() {
        if (clusterSecretFile.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ClusterSecret.parse(Files.readString(Path.of(clusterSecretFile.strip()))));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    "MILLRACE_CLUSTER_SECRET_FILE names " + clusterSecretFile
                            + ", which is not usable: " + e.getMessage()
                            + ". Name a file with at least " + ClusterSecret.MIN_CHARS + " random characters.",
                    e);
        }
    }
}
