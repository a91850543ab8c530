package io.millrace.redis;

import io.lettuce.core.SslOptions;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Whom clients of Redis trust at addresses with {@code rediss://}, and how they prove themselves. Files are in PEM and are read
 * again for each connection, so renewed ones need no restart.
 *
 * @param ca the file with the authority of the server's certificate, or "" for those that Java trusts
 * @param certificate the file with the certificate of the client, or "" if the server asks for none
 * @param key the file with the private key of that certificate, unencrypted PKCS #8
 */
public record RedisTls(String ca, String certificate, String key) {

    /** The authorities that Java trusts, and no certificate. */
    public static final RedisTls DEFAULT = new RedisTls("", "", "");

    private static final String CA = "MILLRACE_REDIS_CA";
    private static final String CERTIFICATE = "MILLRACE_REDIS_CERTIFICATE";
    private static final String KEY = "MILLRACE_REDIS_KEY";

    /** @throws IllegalStateException if a file cannot be read, or if one of certificate and key is missing */
    public RedisTls {
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new IllegalStateException(CERTIFICATE + " and " + KEY + " belong together, but only "
                    + (key.isEmpty() ? CERTIFICATE : KEY)
                    + " is set. Set both, or none if Redis asks for no certificates.");
        }
        checkReadable(CA, ca);
        checkReadable(CERTIFICATE, certificate);
        checkReadable(KEY, key);
    }

    private static void checkReadable(String variable, String file) {
        if (!file.isEmpty() && !Files.isReadable(Path.of(file))) {
            throw new IllegalStateException(variable + " names " + file
                    + ", which cannot be read. Name a file in PEM that this user may read.");
        }
    }

    /**
     * Reads the settings from environment variables.
     *
     * @param variables returns the value of a variable, or null
     * @throws IllegalStateException if they are not usable
     */
    public static RedisTls of(UnaryOperator<@Nullable String> variables) {
        return new RedisTls(
                value(variables.apply(CA)), value(variables.apply(CERTIFICATE)), value(variables.apply(KEY)));
    }

    private static String value(@Nullable String given) {
        return given == null ? "" : given.strip();
    }

    /** Returns the environment variables from which another process reads the same settings. */
    public Map<String, String> environment() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put(CA, ca);
        variables.put(CERTIFICATE, certificate);
        variables.put(KEY, key);
        variables.values().removeIf(String::isEmpty);
        return variables;
    }

    /** Returns the options of connections; without effect on those without TLS. */
    public SslOptions options() {
        SslOptions.Builder options = SslOptions.builder().jdkSslProvider();
        if (!ca.isEmpty()) {
            options.trustManager(new File(ca));
        }
        if (!certificate.isEmpty()) {
            options.keyManager(new File(certificate), new File(key), new char[0]);
        }
        return options.build();
    }
}
