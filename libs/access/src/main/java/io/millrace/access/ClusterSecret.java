package io.millrace.access;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * The secret that all services of a cluster share. Several lines are several secrets: the first one signs, each one
 * verifies, so that a cluster changes its secret without a pause.
 */
public final class ClusterSecret {

    /** The least length of a secret, in characters. */
    public static final int MIN_CHARS = 32;

    private final List<byte[]> keys;

    private ClusterSecret(List<byte[]> keys) {
        this.keys = keys;
    }

    /**
     * Reads the text of the file that holds the secret.
     *
     * @throws IllegalArgumentException if it holds no secret or a short one
     */
    public static ClusterSecret parse(String text) {
        List<byte[]> keys = new ArrayList<>();
        text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            if (line.length() < MIN_CHARS) {
                throw new IllegalArgumentException("The cluster secret has " + line.length()
                        + " characters; use at least " + MIN_CHARS + " random ones");
            }
            keys.add(line.getBytes(StandardCharsets.UTF_8));
        });
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(
                    "The cluster secret is empty; use at least " + MIN_CHARS + " random characters");
        }
        return new ClusterSecret(keys);
    }

    /** Returns a secret that no other process has. */
    public static ClusterSecret random() {
        byte[] key = new byte[MIN_CHARS];
        new SecureRandom().nextBytes(key);
        return new ClusterSecret(List.of(key));
    }

    /** Returns a key for one purpose, from which neither the secret nor the key for another purpose can be found out. */
    public byte[] derived(String purpose) {
        return Hmac.of(keys.getFirst(), ("key:" + purpose).getBytes(StandardCharsets.UTF_8));
    }

    List<byte[]> keys() {
        return keys;
    }

    @Override
    public String toString() {
        return "ClusterSecret[hidden]";
    }
}
