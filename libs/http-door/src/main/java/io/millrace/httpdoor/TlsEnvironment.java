package io.millrace.httpdoor;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Switches a service to TLS if the environment names a certificate: {@code MILLRACE_TLS_CERTIFICATE} and
 * {@code MILLRACE_TLS_KEY}, and for certificates of clients {@code MILLRACE_TLS_CLIENT_CA}. In an environment that several
 * services share, {@code MILLRACE_TLS_SERVICES} names those that use the certificate. The files are watched, so a
 * renewed certificate needs no restart.
 */
public final class TlsEnvironment implements EnvironmentPostProcessor {

    /** The name of the bundle with the certificate of the service. */
    private static final String BUNDLE = "millrace";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        String certificate = environment.getProperty("MILLRACE_TLS_CERTIFICATE", "");
        if (certificate.isBlank() || !isForThisService(environment)) {
            return;
        }
        String key = environment.getProperty("MILLRACE_TLS_KEY", "");
        if (key.isBlank()) {
            throw new IllegalStateException(
                    "MILLRACE_TLS_CERTIFICATE is set, but MILLRACE_TLS_KEY is not. Set it to the"
                            + " file with the private key of the certificate, PKCS #8 in PEM.");
        }
        String prefix = "spring.ssl.bundle.pem." + BUNDLE + ".";
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(prefix + "reload-on-update", "true");
        properties.put(prefix + "keystore.certificate", "file:" + certificate.strip());
        properties.put(prefix + "keystore.private-key", "file:" + key.strip());
        String clients = environment.getProperty("MILLRACE_TLS_CLIENT_CA", "");
        if (!clients.isBlank()) {
            properties.put(prefix + "truststore.certificate", "file:" + clients.strip());
            properties.put("server.ssl.client-auth", "want");
        }
        properties.put("server.ssl.bundle", BUNDLE);
        environment.getPropertySources().addLast(new MapPropertySource("millraceTls", properties));
    }

    /** Services that share an environment may not all have clients that trust the certificate. */
    private static boolean isForThisService(ConfigurableEnvironment environment) {
        String services = environment.getProperty("MILLRACE_TLS_SERVICES", "");
        String own = environment.getProperty("spring.application.name", "");
        return services.isBlank()
                || Arrays.stream(services.split(",", -1)).map(String::strip).anyMatch(own::equals);
    }
}
