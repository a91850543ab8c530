package io.millrace.accessspring;

import io.millrace.access.ClusterSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the gate stands.
 *
 * @param open {@code yes} if requests without credentials have the rights of an administrator, on loopback only; {@code no},
 *     the default, if they are refused
 * @param clusterSecretFile the file with the secret that all services share
 * @param oidc the identity provider whose tokens are logins
 */
@ConfigurationProperties("millrace.access")
record AccessSettings(
        @DefaultValue("") String open,
        @DefaultValue("") String clusterSecretFile,
        @DefaultValue OidcSettings oidc) {

    /** @throws IllegalStateException for a value that is neither yes nor no */
    Mode mode() {
        return switch (open.strip().toLowerCase(Locale.ROOT)) {
            case "yes", "true" -> Mode.OPEN;
            case "", "no", "false" -> Mode.SHUT;
            default -> throw new IllegalStateException("MILLRACE_OPEN must be yes or no, not " + open.strip() + ".");
        };
    }

    enum Mode {
        /** Requests without credentials are an administrator's, on loopback only. */
        OPEN,
        /** Requests without credentials are refused. */
        SHUT
    }

    /**
     * Returns the secret of the cluster; an open service needs none.
     *
     * @throws IllegalStateException if there is none and the service is shut, or if the file cannot be read or holds no usable
     *     secret
     */
    Optional<ClusterSecret> clusterSecret() {
        if (clusterSecretFile.isBlank()) {
            if (mode() == Mode.SHUT) {
                throw new IllegalStateException(
                        "MILLRACE_CLUSTER_SECRET_FILE is not set, so this service cannot know the other services. Name"
                                + " a file with at least " + ClusterSecret.MIN_CHARS
                                + " random characters, the same for all services. To try Millrace without logins, on"
                                + " loopback only, set MILLRACE_OPEN=yes instead.");
            }
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
