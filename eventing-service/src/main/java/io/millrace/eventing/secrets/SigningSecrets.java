package io.millrace.eventing.secrets;

import java.util.Base64;

/** Secrets that sign webhooks, as Standard Webhooks 1.0.0 writes them. */
public final class SigningSecrets {

    public static final String PREFIX = "whsec_";
    public static final int MIN_BYTES = 24;
    public static final int MAX_BYTES = 64;

    private SigningSecrets() {}

    /** Returns whether a text is the prefix and the Base64 of a key that is long enough. */
    public static boolean isOne(String text) {
        if (!text.startsWith(PREFIX)) {
            return false;
        }
        try {
            int bytes = Base64.getDecoder().decode(text.substring(PREFIX.length())).length;
            return bytes >= MIN_BYTES && bytes <= MAX_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }
}
