package io.millrace.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tokens of sessions, which browsers keep in a cookie. A token names a user and is signed with the secret of the cluster and
 * the stamp of the user, which changes with the password: every gateway can check it, none needs to store it, and a new
 * password ends all sessions. The roles are those of the moment of each request.
 */
public final class SessionTokens {

    /** How long a session lasts. */
    public static final Duration LIFETIME = Duration.ofHours(12);

    private static final String VERSION = "s1";
    private static final int FIELDS = 4;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final ClusterSecret secret;
    private final Clock clock;

    public SessionTokens(ClusterSecret secret, Clock clock) {
        this.secret = secret;
        this.clock = clock;
    }

    /**
     * Returns a token that is valid for {@link #LIFETIME}.
     *
     * @param stamp changes when the sessions of the user must end
     */
    public String issue(String user, byte[] stamp) {
        String body = String.join(
                ".",
                VERSION,
                Long.toString(clock.instant().plus(LIFETIME).getEpochSecond()),
                ENCODER.encodeToString(user.getBytes(StandardCharsets.UTF_8)));
        return body + "." + ENCODER.encodeToString(hmac(secret.keys().getFirst(), body, stamp));
    }

    /**
     * Returns the user of a token, or nothing if the token was not made by this cluster or is no longer valid.
     *
     * @param stamps returns the present stamp of a user, or nothing if the user does not exist
     */
    public Optional<String> user(String token, Function<String, Optional<byte[]>> stamps) {
        String[] fields = token.split("\\.", -1);
        if (fields.length != FIELDS || !fields[0].equals(VERSION)) {
            return Optional.empty();
        }
        try {
            String user = new String(DECODER.decode(fields[2]), StandardCharsets.UTF_8);
            String body = token.substring(0, token.lastIndexOf('.'));
            byte[] signature = DECODER.decode(fields[FIELDS - 1]);
            boolean expired = Long.parseLong(fields[1]) <= clock.instant().getEpochSecond();
            return stamps.apply(user)
                    .filter(stamp -> !expired && signed(body, stamp, signature))
                    .map(stamp -> user);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private boolean signed(String body, byte[] stamp, byte[] signature) {
        boolean found = false;
        for (byte[] key : secret.keys()) {
            found |= MessageDigest.isEqual(hmac(key, body, stamp), signature);
        }
        return found;
    }

    private static byte[] hmac(byte[] key, String body, byte[] stamp) {
        return Hmac.of(key, body.getBytes(StandardCharsets.UTF_8), new byte[1], stamp);
    }
}
