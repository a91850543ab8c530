package io.millrace.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Short-lived tokens by which a service tells another one for whom it asks: itself or a user whom it has authenticated. A
 * token is a text of seven fields with dots between them, the last one an HMAC-SHA256 of the others by the secret of the
 * cluster. It holds the roles of the user, so that the receiver needs no lookup; the receiver remembers what it has verified,
 * because a token is sent with many requests. Thread-safe.
 */
public final class IdentityTokens {

    /** The HTTP header that carries a token. */
    public static final String HEADER = "X-Millrace-Identity";

    /** How long a token is valid. */
    public static final Duration LIFETIME = Duration.ofSeconds(60);

    /** How far the clocks of two nodes may differ. */
    public static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(30);

    private static final String VERSION = "i1";
    private static final int FIELDS = 7;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    /** Tokens whose signature has been verified, which each request of a subject carries again for some seconds. */
    private static final int MAX_VERIFIED = 1000;

    private record Verified(Subject subject, long expires) {}

    private final ClusterSecret secret;
    private final Clock clock;
    private final Map<String, Verified> verified = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Verified> eldest) {
            return size() > MAX_VERIFIED;
        }
    };

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
        Verified known;
        synchronized (verified) {
            known = verified.get(token);
        }
        if (known == null) {
            known = read(token);
            if (known == null) {
                return Optional.empty();
            }
            synchronized (verified) {
                verified.put(token, known);
            }
        }
        return isCurrent(known.expires()) ? Optional.of(known.subject()) : Optional.empty();
    }

    /** Returns what a token says, whenever it is or was valid, or null if it was not made by this cluster. */
    private @Nullable Verified read(String token) {
        String[] fields = token.split("\\.", -1);
        if (fields.length != FIELDS || !fields[0].equals(VERSION)) {
            return null;
        }
        try {
            String body = token.substring(0, token.lastIndexOf('.'));
            byte[] signature = DECODER.decode(fields[FIELDS - 1]);
            return signed(body, signature)
                    ? new Verified(
                            subject(
                                    Subject.Domain.valueOf(fields[3]),
                                    decoded(fields[4]),
                                    Role.parseAll(decoded(fields[5]))),
                            Long.parseLong(fields[1]))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private boolean isCurrent(long expires) {
        long now = clock.instant().getEpochSecond();
        return expires - now <= LIFETIME.plus(CLOCK_TOLERANCE).toSeconds()
                && now - expires <= CLOCK_TOLERANCE.toSeconds();
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
        return Hmac.of(key, body.getBytes(StandardCharsets.UTF_8));
    }

    private static String encoded(String text) {
        return ENCODER.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String field) {
        return new String(DECODER.decode(field), StandardCharsets.UTF_8);
    }
}
