package io.millrace.launcher.tls;

import io.millrace.launcher.FileTree;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The certificate of a suite on one machine, in the directory {@code tls} of its data directory. An authority that signs nothing
 * else has signed it; clients trust that authority.
 *
 * @param authority the certificate that clients trust
 * @param certificate the certificate of the services
 * @param key its private key, which only the owner can read
 */
public record LocalCertificate(Path authority, Path certificate, Path key) {

    /** A certificate that ends sooner is replaced at the next start. */
    private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

    private static final String DIRECTORY = "tls";
    private static final String NAME = "suite";

    /** Returns the certificate of a data directory, or nothing if none was made. */
    public static Optional<LocalCertificate> find(Path data) {
        return Optional.of(in(data.toAbsolutePath().resolve(DIRECTORY))).filter(found -> Files.exists(found.authority));
    }

    private static LocalCertificate in(Path directory) {
        return new LocalCertificate(
                directory.resolve("authority.pem"), directory.resolve(NAME + ".pem"), directory.resolve(NAME + ".key"));
    }

    /**
     * Returns the certificate of a data directory; makes one if there is none, if it ends soon, or if it lacks a host.
     *
     * @param hosts names and addresses under which clients reach the suite
     */
    public static LocalCertificate ensure(Path data, Collection<String> hosts) {
        Optional<LocalCertificate> known = find(data).filter(found -> found.serves(hosts));
        if (known.isPresent()) {
            return known.get();
        }
        Path directory = data.toAbsolutePath().resolve(DIRECTORY);
        Path fresh = directory.resolveSibling(DIRECTORY + ".new");
        try {
            FileTree.delete(fresh);
            OwnerOnly.createDirectory(fresh);
            CertificateAuthority.create(fresh)
                    .forServer(
                            NAME,
                            new TreeSet<>(hosts)
                                    .stream().map(LocalCertificate::named).toList());
            Files.delete(fresh.resolve(CertificateAuthority.STORE)); // its password was in memory only
            FileTree.delete(directory);
            Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
            return in(directory);
        } catch (IOException e) {
            throw new LauncherException("Cannot make a certificate in " + directory + ": " + e.getMessage(), e);
        }
    }

    private static String named(String host) {
        return (isAddress(host) ? "ip:" : "dns:") + host;
    }

    /** Returns an address as certificates spell it. */
    private static String normal(String host) {
        try {
            return isAddress(host) ? InetAddress.getByName(host).getHostAddress() : host.toLowerCase(Locale.ROOT);
        } catch (UnknownHostException e) {
            return host;
        }
    }

    private static boolean isAddress(String host) {
        return host.contains(":") || host.matches("[0-9.]+");
    }

    private boolean serves(Collection<String> hosts) {
        return Files.exists(key)
                && Instant.now().plus(RENEWED_BEFORE).isBefore(end())
                && hosts().containsAll(
                                hosts.stream().map(LocalCertificate::normal).toList());
    }

    /** Returns when the certificate ends. */
    public Instant end() {
        return read().getNotAfter().toInstant();
    }

    /** Returns the names and addresses that the certificate is for. */
    public List<String> hosts() {
        try {
            Collection<List<?>> names = read().getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .map(name -> String.valueOf(name.get(1)).toLowerCase(Locale.ROOT))
                            .toList();
        } catch (CertificateException e) {
            throw unusable(e);
        }
    }

    private X509Certificate read() {
        try (InputStream in = Files.newInputStream(certificate)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (IOException | CertificateException e) {
            throw unusable(e);
        }
    }

    private LauncherException unusable(Exception cause) {
        return new LauncherException(
                "Cannot read the certificate " + certificate + ": " + cause.getMessage()
                        + ". Delete the directory " + certificate.getParent()
                        + "; the next ./millrace up --tls makes a new one",
                cause);
    }

    /** Returns whether only the owner can read the key; true where files have no such permissions. */
    public boolean isKeyPrivate() {
        return OwnerOnly.is(key);
    }
}
