package io.millrace.subdocservice.users;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * The user whom the certificate of a client names: its common name. TLS has checked that an authority has signed it which
 * the operator named for this purpose.
 */
public final class CertificateUser {

    private CertificateUser() {}

    /**
     * Returns the user.
     *
     * @param chain the certificate of the client first, then those that signed it
     */
    public static Optional<String> of(Certificate[] chain) {
        return chain.length > 0 && chain[0] instanceof X509Certificate certificate
                ? commonName(certificate)
                : Optional.empty();
    }

    private static Optional<String> commonName(X509Certificate certificate) {
        try {
            return new LdapName(certificate.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(Object::toString)
                            .findFirst();
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }
}
