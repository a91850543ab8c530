package io.millrace.subdocservice.sdk;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.ssl.pem.PemContent;

/** Reads keys and certificates from PEM files. */
final class Pems {

    private Pems() {}

    static PrivateKey key(Path file) {
        return Objects.requireNonNull(content(file).getPrivateKey());
    }

    static List<X509Certificate> chain(Path file) {
        return Objects.requireNonNull(content(file).getCertificates());
    }

    private static PemContent content(Path file) {
        try {
            return PemContent.load(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
