package io.millrace.accessspring;

import java.net.URI;
import java.util.Locale;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The identity provider whose tokens are logins.
 *
 * @param issuer the URL of the provider, exactly as its tokens name it; blank if there is none
 * @param audience what a token must be issued for
 * @param roles the roles for each value of the claim, see {@link ClaimRoles}
 * @param rolesClaim the claim whose values have roles; its parts are separated by dots where claims are nested
 * @param nameClaim the claim with the name of the user
 * @param ca the file with the authority of the provider's certificate, if Java does not know it
 */
record OidcSettings(
        @DefaultValue("") String issuer,
        @DefaultValue("") String audience,
        @DefaultValue("") String roles,
        @DefaultValue("roles") String rolesClaim,
        @DefaultValue("sub") String nameClaim,
        @DefaultValue("") String ca) {

    OidcSettings {
        issuer = issuer.strip();
        audience = audience.strip();
        rolesClaim = rolesClaim.strip();
        nameClaim = nameClaim.strip();
        ca = ca.strip();
    }

    /** Returns whether there is an identity provider. */
    boolean given() {
        return !issuer.isEmpty();
    }

    /** @throws IllegalStateException if the settings of the provider are incomplete or unsafe */
    void check() {
        if (audience.isEmpty()) {
            throw new IllegalStateException(
                    "MILLRACE_OIDC_ISSUER is set, but MILLRACE_OIDC_AUDIENCE is not. Without it, tokens for other"
                            + " applications would be logins. Set it to the audience of tokens for Millrace.");
        }
        if (!safe(issuer)) {
            throw new IllegalStateException("MILLRACE_OIDC_ISSUER must be an https URL, or http on loopback, not "
                    + issuer + ". Keys that are fetched in clear could be anyone's.");
        }
    }

    /** Returns whether what this URL answers can be trusted to come from its host. */
    static boolean safe(String url) {
        try {
            URI uri = URI.create(url);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            String host = uri.getHost();
            boolean loopback = "localhost".equals(host) || "127.0.0.1".equals(host) || "[::1]".equals(host);
            return host != null && (scheme.equals("https") || (scheme.equals("http") && loopback));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
