package io.millrace.launcher.tls;

import io.millrace.launcher.LauncherException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** What a client trusts, and how it proves itself, from files in PEM. */
public final class ClientTls {

    private static final char[] NO_PASSWORD = new char[0];

    private ClientTls() {}

    /** Returns a context that trusts one authority and those that Java trusts no longer. */
    public static SSLContext trusting(Path authority) {
        return context(authority, null, null);
    }

    /**
     * Returns the context for {@code rediss://} as the environment describes it.
     *
     * @param variables returns the value of a variable, or null
     */
    public static SSLContext ofRedis(UnaryOperator<@Nullable String> variables) {
        Path certificate = file(variables.apply("MILLRACE_REDIS_CERTIFICATE"));
        Path key = file(variables.apply("MILLRACE_REDIS_KEY"));
        if ((certificate == null) != (key == null)) {
            throw new LauncherException(
                    "MILLRACE_REDIS_CERTIFICATE and MILLRACE_REDIS_KEY belong together, but only one is"
                            + " set. Set both, or none if Redis asks for no certificates");
        }
        return context(file(variables.apply("MILLRACE_REDIS_CA")), certificate, key);
    }

    private static @Nullable Path file(@Nullable String given) {
        return given == null || given.isBlank() ? null : Path.of(given.strip());
    }

    private static SSLContext context(@Nullable Path authority, @Nullable Path certificate, @Nullable Path key) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    certificate == null || key == null ? null : own(certificate, key),
                    authority == null ? null : trusted(authority),
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new LauncherException("Cannot prepare TLS: " + e.getMessage(), e);
        }
    }

    private static TrustManager[] trusted(Path file) throws GeneralSecurityException {
        KeyStore store = emptyStore();
        int count = 0;
        for (Certificate each : certificates(file)) {
            store.setCertificateEntry("authority-" + count++, each);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager[] own(Path certificate, Path key) throws GeneralSecurityException {
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "own", key(key), NO_PASSWORD, certificates(certificate).toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            return store;
        } catch (IOException e) {
            throw new AssertionError("Nothing is read", e);
        }
    }

    private static Collection<? extends Certificate> certificates(Path file) {
        try (InputStream in = new ByteArrayInputStream(Files.readAllBytes(file))) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (!found.isEmpty()) {
                return found;
            }
        } catch (IOException | GeneralSecurityException e) {
            throw unusable(file, "certificates", e);
        }
        throw unusable(file, "certificates", null);
    }

    private static PrivateKey key(Path file) throws GeneralSecurityException {
        String base64;
        try {
            base64 = Files.readString(file, StandardCharsets.US_ASCII).replaceAll("-----[^-]+-----|\\s", "");
        } catch (IOException e) {
            throw unusable(file, "a private key", e);
        }
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
            } catch (InvalidKeySpecException | IllegalArgumentException e) {
                continue; // a key of another algorithm, or none
            }
        }
        throw unusable(file, "a private key", null);
    }

    private static LauncherException unusable(Path file, String what, @Nullable Exception cause) {
        String reason = cause == null ? "" : ": " + cause;
        String message = "Cannot read " + what + " in PEM from " + file + reason
                + (what.contains("key") ? "; the key must be unencrypted PKCS #8" : "");
        return cause == null ? new LauncherException(message) : new LauncherException(message, cause);
    }
}
