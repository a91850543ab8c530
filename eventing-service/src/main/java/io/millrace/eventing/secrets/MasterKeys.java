package io.millrace.eventing.secrets;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The master keys of 256 bits. The first one encrypts; all of them decrypt, so that a key can be replaced while functions
 * run. Every secret is encrypted with a key of its own, which the master key encrypts (AES-256-GCM both times): another
 * master key changes these small keys only.
 */
final class MasterKeys {

    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int ID_BYTES = 8;
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Map<String, byte[]> keys;
    private final String current;

    private MasterKeys(Map<String, byte[]> keys, String current) {
        this.keys = keys;
        this.current = current;
    }

    /**
     * Reads keys, one on each line, in hexadecimal or Base64.
     *
     * @throws IllegalArgumentException if a line is not a key of 256 bits, or there is none
     */
    static MasterKeys parse(String text) {
        Map<String, byte[]> keys = new LinkedHashMap<>();
        text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            byte[] key = decoded(line);
            keys.put(id(key), key);
        });
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(
                    "The master key is empty; use 32 random bytes in Base64 or hexadecimal, as 'openssl rand -base64"
                            + " 32' prints them");
        }
        return new MasterKeys(keys, keys.keySet().iterator().next());
    }

    private static byte[] decoded(String line) {
        byte[] key;
        try {
            key = line.length() == 2 * KEY_BYTES
                    ? HexFormat.of().parseHex(line)
                    : Base64.getDecoder().decode(line);
        } catch (IllegalArgumentException notEncoded) {
            key = new byte[0];
        }
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "A master key must be 32 random bytes in Base64 or hexadecimal, as 'openssl rand -base64 32'"
                            + " prints them");
        }
        return key;
    }

    /** Returns the public name of a key. */
    private static String id(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] name = mac.doFinal("millrace master key id".getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(name, 0, ID_BYTES);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has HmacSHA256", e);
        }
    }

    String current() {
        return current;
    }

    /** @param context what the secret belongs to; only this opens it */
    Envelope seal(String context, String value) {
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        byte[] sealed = encrypted(key, context, value.getBytes(StandardCharsets.UTF_8));
        return new Envelope(current, encrypted(Objects.requireNonNull(keys.get(current)), context, key), sealed);
    }

    /** @throws SecretException if the master key is missing, or the envelope is not one of this context */
    String open(String context, Envelope envelope) {
        byte[] key = unwrapped(context, envelope);
        return new String(decrypted(key, context, envelope.value()), StandardCharsets.UTF_8);
    }

    /** Returns the envelope under the current master key. */
    Envelope rewrapped(String context, Envelope envelope) {
        byte[] key = unwrapped(context, envelope);
        return new Envelope(
                current, encrypted(Objects.requireNonNull(keys.get(current)), context, key), envelope.value());
    }

    private byte[] unwrapped(String context, Envelope envelope) {
        byte[] master = keys.get(envelope.keyId());
        if (master == null) {
            throw SecretException.unreadable("it is encrypted with the master key %s, which this node does not have"
                    .formatted(envelope.keyId()));
        }
        return decrypted(master, context, envelope.wrappedKey());
    }

    private static byte[] encrypted(byte[] key, String context, byte[] text) {
        try {
            byte[] nonce = new byte[NONCE_BYTES];
            RANDOM.nextBytes(nonce);
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, 0, context).doFinal(text);
            byte[] all = new byte[NONCE_BYTES + sealed.length];
            System.arraycopy(nonce, 0, all, 0, NONCE_BYTES);
            System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
            return all;
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has " + CIPHER, e);
        }
    }

    private static byte[] decrypted(byte[] key, String context, byte[] all) {
        if (all.length < NONCE_BYTES) {
            throw SecretException.unreadable("its envelope is too short");
        }
        try {
            return cipher(Cipher.DECRYPT_MODE, key, all, 0, context)
                    .doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw SecretException.unreadable("it was changed, or belongs to another name or URL");
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, int offset, String context)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce, offset, NONCE_BYTES));
        cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
