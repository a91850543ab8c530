package io.millrace.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Short-lived tokens by which a service tells another one for whom it asks: itself or a user whom it has authenticated. A
 * token is a text of seven fields with dots between them, the last one an HMAC-SHA256 of the others by the secret of the
 * cluster. It holds the roles of the user, so that the receiver needs no lookup. Thread-safe.
 */
public final class IdentityTokens {

    /** The HTTP header that carries a token. */
    public static final String HEADER = "X-Millrace-Identity";

    /** How long a token is valid. */
    public static final Duration LIFETIME = Duration.ofSeconds(60);

    /** How far the clocks of two nodes may differ. */
    public static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(30);

    private static final String VERSION = "i1";
    private static final String HMAC = "HmacSHA256";
    private static final int FIELDS = 7;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final ClusterSecret secret;
    private final Clock clock;

    public IdentityTokens(ClusterSecret secret, Clock clock) {
        this.secret = secret;
        this.clock = clock;
    }

    /**
     * Returns a token for a subject, valid for {@link #LIFETIME}.
     *
     * @param issuer the service that has authenticated the subject
     */
    public String issue(Subject subject, String issuer) {
        long expires = clock.instant().plus(LIFETIME).getEpochSecond();
        String roles = subject.roles().stream().map(Role::toString).collect(Collectors.joining(","));
        String body = String.join(
                ".",
                VERSION,
                Long.toString(expires),
                encoded(issuer),
                subject.domain().name(),
                encoded(subject.name()),
                encoded(roles));
        return body + "." + ENCODER.encodeToString(hmac(secret.keys().getFirst(), body));
    }

    /** Returns the subject of a token, or nothing if the token was not made by this cluster or is no longer valid. */
    public Optional<Subject> verify(String token) {
        String[] fields = token.split("\\.", -1);
        if (fields.length != FIELDS || !fields[0].equals(VERSION)) {
            return Optional.empty();
        }
        try {
            String body = token.substring(0, token.lastIndexOf('.'));
            byte[] signature = DECODER.decode(fields[FIELDS - 1]);
            if (!signed(body, signature)) {
                return Optional.empty();
            }
            long now = clock.instant().getEpochSecond();
            long expires = Long.parseLong(fields[1]);
            boolean early = expires - now > LIFETIME.plus(CLOCK_TOLERANCE).toSeconds();
            if (early || now - expires > CLOCK_TOLERANCE.toSeconds()) {
                return Optional.empty();
            }
            return Optional.of(
                    subject(Subject.Domain.valueOf(fields[3]), decoded(fields[4]), Role.parseAll(decoded(fields[5]))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Subject subject(Subject.Domain domain, String name, List<Role> roles) {
        return switch (domain) {
            case SERVICE -> Subject.service(name);
            case ANONYMOUS -> roles.isEmpty() ? Subject.anonymous() : Subject.open();
            case LOCAL, EXTERNAL -> Subject.user(name, domain, roles);
        };
    }

    private boolean signed(String body, byte[] signature) {
        boolean found = false;
        for (byte[] key : secret.keys()) {
            found |= MessageDigest.isEqual(hmac(key, body), signature);
        }
        return found;
    }

    private static byte[] hmac(byte[] key, String body) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(body.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has " + HMAC, e);
        }
    }

    private static String encoded(String text) {
        return ENCODER.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String field) {
        return new String(DECODER.decode(field), StandardCharsets.UTF_8);
    }
}
