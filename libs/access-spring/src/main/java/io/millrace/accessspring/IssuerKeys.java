package io.millrace.accessspring;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * Fetches the public keys of an identity provider, which its discovery document names (OpenID Connect Discovery 1.0, section
 * 4). Blocks; what is around it keeps the keys.
 */
final class IssuerKeys implements JWKSetSource<SecurityContext> {

    private static final int MAX_ANSWER_BYTES = 1_000_000;

    private final String issuer;
    private final ResourceRetriever http;
    private volatile boolean fetched;

    IssuerKeys(OidcSettings settings) {
        this.issuer = settings.issuer();
        int timeout = (int) TokenLogins.FETCH_TIMEOUT.toMillis();
        this.http = new DefaultResourceRetriever(timeout, timeout, MAX_ANSWER_BYTES, true, sockets(settings.ca()));
    }

    private static @Nullable SSLSocketFactory sockets(String ca) {
        if (ca.isEmpty()) {
            return null;
        }
        PemSslStoreDetails authority =
                PemSslStoreDetails.forCertificate(Path.of(ca).toUri().toString());
        return SslBundle.of(new PemSslStoreBundle(null, authority))
                .createSslContext()
                .getSocketFactory();
    }

    /** Returns whether the keys could be fetched at least once. */
    boolean fetched() {
        return fetched;
    }

    @Override
    public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long currentTime, @Nullable SecurityContext context)
            throws KeySourceException {
        try {
            JWKSet keys = JWKSet.parse(answer(keysUrl()));
            fetched = true;
            return keys;
        } catch (IOException | ParseException e) {
            throw new JWKSetUnavailableException("The keys of " + issuer + " cannot be fetched: " + e.getMessage(), e);
        }
    }

    private String keysUrl() throws IOException, ParseException {
        String document = issuer + (issuer.endsWith("/") ? "" : "/") + ".well-known/openid-configuration";
        Map<String, Object> configuration = JSONObjectUtils.parse(answer(document));
        String named = JSONObjectUtils.getString(configuration, "issuer");
        if (!issuer.equals(named)) {
            throw new IOException(document + " is of the issuer " + named + ", expected " + issuer);
        }
        String keys = JSONObjectUtils.getString(configuration, "jwks_uri");
        if (keys == null || !OidcSettings.safe(keys)) {
            throw new IOException(document + " names " + keys + " for its keys, expected an https URL");
        }
        return keys;
    }

    private String answer(String url) throws IOException {
        return http.retrieveResource(URI.create(url).toURL()).getContent();
    }

    @Override
    public void close() {}
}
