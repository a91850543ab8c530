package io.millrace.launcher.suite;

import io.millrace.launcher.tls.ClientTls;
import io.millrace.launcher.tls.LocalCertificate;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The certificate of a suite, or none, and who has to know of it. */
final class SuiteTls {

    /** The services that clients reach. */
    static final Set<Service> SERVICES = EnumSet.of(Service.GATEWAY, Service.SUBDOC);

    static final SuiteTls NONE = new SuiteTls(null, 0);

    private final @Nullable LocalCertificate certificate;
    private final int kvPort;

    private SuiteTls(@Nullable LocalCertificate certificate, int kvPort) {
        this.certificate = certificate;
        this.kvPort = kvPort;
    }

    /** Returns the connection string for Couchbase SDKs. */
    static String sdkUrl(SuiteSettings settings, String host) {
        return settings.tls
                ? "couchbases://" + host + ":" + settings.kvTlsPort
                : "couchbase://" + host + ":" + settings.kvPort;
    }

    /** @param variables returns the value of an environment variable, or null */
    static SuiteTls of(SuiteSettings settings, UnaryOperator<@Nullable String> variables) {
        LocalCertificate certificate = settings.tls
                ? LocalCertificate.ensure(settings.data, hosts(settings.bind, variables.apply("MILLRACE_HOSTS")))
                : null;
        return new SuiteTls(certificate, settings.kvTlsPort);
    }

    /** Returns the names and addresses under which clients of this machine, and of others if they can, reach the suite. */
    private static Set<String> hosts(String bind, @Nullable String more) {
        Set<String> hosts = new TreeSet<>(Set.of("localhost", "127.0.0.1"));
        if (!bind.equals("0.0.0.0")) {
            hosts.add(bind);
        }
        try {
            if (!InetAddress.getByName(bind).isLoopbackAddress()) {
                hosts.add(InetAddress.getLocalHost().getHostName());
            }
        } catch (UnknownHostException e) {
            // a machine without a name of its own, or an address that the check of ports refuses
        }
        for (String host : Objects.requireNonNullElse(more, "").split(",", -1)) {
            hosts.add(host.strip());
        }
        hosts.remove("");
        return hosts;
    }

    /** Tells the services; those that clients do not reach meet on loopback, where plain HTTP is expected of them. */
    void describeTo(Map<String, String> environment) {
        if (certificate == null) {
            environment.put("MILLRACE_TLS_CERTIFICATE", "");
            return;
        }
        environment.put("MILLRACE_TLS_CERTIFICATE", certificate.certificate().toString());
        environment.put("MILLRACE_TLS_KEY", certificate.key().toString());
        environment.put("MILLRACE_TLS_CA", certificate.authority().toString());
        environment.put(
                "MILLRACE_TLS_SERVICES",
                SERVICES.stream().map(Service::moduleName).collect(Collectors.joining(",")));
        environment.put(SuiteSettings.KV_TLS_PORT_VARIABLE, Integer.toString(kvPort));
    }

    /** Returns the file with the authority that clients trust, or null without TLS. */
    @Nullable
    Path authority() {
        return certificate == null ? null : certificate.authority();
    }

    /** Returns what trusts the certificate, or null without TLS. */
    @Nullable
    SSLContext trust() {
        return certificate == null ? null : ClientTls.trusting(certificate.authority());
    }
}
