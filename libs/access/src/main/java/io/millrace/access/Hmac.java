package io.millrace.access;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 (RFC 2104). */
final class Hmac {

    private static final String NAME = "HmacSHA256";

    private Hmac() {}

    /** Returns the code of parts that follow each other. */
    static byte[] of(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(NAME);
            mac.init(new SecretKeySpec(key, NAME));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has " + NAME, e);
        }
    }
}
