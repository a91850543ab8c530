package io.millrace.worker.cloudevents;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests as Standard Webhooks 1.0.0 defines it (github.com/standard-webhooks): HMAC-SHA256 over id, time of the attempt and
 * body. Thread-safe.
 */
final class Signature {

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /** @param secret {@code whsec_} and the Base64 of the key */
    Signature(String secret) {
        byte[] bytes = Base64.getDecoder().decode(secret.substring(secret.indexOf('_') + 1));
        key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** Returns the headers of a request. */
    Map<String, String> headers(String id, Instant attempt, byte[] body) {
        String seconds = Long.toString(attempt.getEpochSecond());
        Mac mac = mac();
        mac.update((id + '.' + seconds + '.').getBytes(StandardCharsets.UTF_8));
        return Map.of(
                "webhook-id",
                id,
                "webhook-timestamp",
                seconds,
                "webhook-signature",
                "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)));
    }

    private Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has it", e);
        }
    }
}
