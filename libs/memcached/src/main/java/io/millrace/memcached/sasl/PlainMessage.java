package io.millrace.memcached.sasl;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The message of PLAIN (RFC 4616): an optional identity to act as, the user and the password. */
public record PlainMessage(String user, String password) {

    /** Parses a message; returns empty if it is malformed or asks to act as another user. */
    public static Optional<PlainMessage> parse(byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        int afterAuthorization = text.indexOf(0);
        int afterUser = text.indexOf(0, afterAuthorization + 1);
        if (afterAuthorization < 0 || afterUser < 0 || text.indexOf(0, afterUser + 1) >= 0) {
            return Optional.empty();
        }
        String authorization = text.substring(0, afterAuthorization);
        String user = text.substring(afterAuthorization + 1, afterUser);
        boolean own = authorization.isEmpty() || authorization.equals(user);
        return own && !user.isEmpty()
                ? Optional.of(new PlainMessage(user, text.substring(afterUser + 1)))
                : Optional.empty();
    }
}
