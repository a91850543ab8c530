package io.millrace.memcached.sasl;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The SCRAM mechanisms, strongest first, with Couchbase's names. */
public enum ScramMechanism {
    SCRAM_SHA512("SCRAM-SHA512", "HmacSHA512", "SHA-512", 64),
    SCRAM_SHA256("SCRAM-SHA256", "HmacSHA256", "SHA-256", 32),
    SCRAM_SHA1("SCRAM-SHA1", "HmacSHA1", "SHA-1", 20);

    private static final int FIRST_BLOCK = 1;

    private final String label;
    private final String mac;
    private final String digest;
    private final int bytes;

    ScramMechanism(String label, String mac, String digest, int bytes) {
        this.label = label;
        this.mac = mac;
        this.digest = digest;
        this.bytes = bytes;
    }

    /** Returns the mechanism with a name on the wire. */
    public static Optional<ScramMechanism> named(String name) {
        for (ScramMechanism mechanism : values()) {
            if (mechanism.label.equals(name)) {
                return Optional.of(mechanism);
            }
        }
        return Optional.empty();
    }

    /** Returns the name on the wire. */
    public String label() {
        return label;
    }

    /** Returns how many bytes its keys have. */
    public int keyBytes() {
        return bytes;
    }

    /** Derives the keys that a server stores; the time grows with the iterations. */
    public ScramKeys derive(String password, byte[] salt, int iterations) {
        byte[] salted = salted(password, salt, iterations);
        return new ScramKeys(salt, iterations, hash(hmac(salted, "Client Key")), hmac(salted, "Server Key"));
    }

    /** Hi of RFC 5802: PBKDF2 with one block. The JDK's PBKDF2 rejects empty passwords and takes characters, not bytes. */
    byte[] salted(String password, byte[] salt, int iterations) {
        Mac hmac = keyed(password.getBytes(StandardCharsets.UTF_8));
        hmac.update(salt);
        byte[] block = hmac.doFinal(new byte[] {0, 0, 0, FIRST_BLOCK});
        byte[] sum = block.clone();
        for (int i = 1; i < iterations; i++) {
            block = hmac.doFinal(block);
            xor(sum, block);
        }
        return sum;
    }

    byte[] hmac(byte[] key, String text) {
        return keyed(key).doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    byte[] hash(byte[] input) {
        try {
            return MessageDigest.getInstance(digest).digest(input);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has " + digest, e);
        }
    }

    private Mac keyed(byte[] key) {
        try {
            Mac instance = Mac.getInstance(mac);
            // an HMAC pads its key with zeros, so a zero byte equals the empty key, which Java rejects
            instance.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, mac));
            return instance;
        } catch (InvalidKeyException e) {
            throw new IllegalArgumentException(e);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has " + mac, e);
        }
    }

    static void xor(byte[] target, byte[] other) {
        for (int i = 0; i < target.length; i++) {
            target[i] ^= other[i];
        }
    }
}
