package io.millrace.eventing.http.requests;

import io.millrace.access.Subject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * The {@code Idempotency-Key} of a request.
 *
 * @param name stands for the function, the caller and the key: keys of others are of no interest
 * @param fingerprint stands for what is asked
 */
record IdempotencyKey(String function, String name, byte[] fingerprint) {

    static final String HEADER = "Idempotency-Key";

    /** What these do may be done twice. */
    private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    /** Returns the key of a request; nothing when it has none, or a method that changes nothing. */
    static Optional<IdempotencyKey> of(String function, Subject caller, ServerHttpRequest request, byte[] body) {
        List<String> keys = request.getHeaders().getOrEmpty(HEADER);
        if (keys.isEmpty() || SAFE.contains(request.getMethod())) {
            return Optional.empty();
        }
        String key = keys.getFirst();
        if (keys.size() > 1 || key.isBlank() || key.length() > RequestLimits.MAX_IDEMPOTENCY_KEY_CHARS) {
            throw Failures.invalidKey();
        }
        String type = String.valueOf(request.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE));
        String path = request.getURI().getRawPath() + '?' + request.getURI().getRawQuery();
        return Optional.of(new IdempotencyKey(
                function,
                HexFormat.of().formatHex(digest(List.of(function, caller.toString(), key), new byte[0])),
                digest(List.of(request.getMethod().name(), path, type), body)));
    }

    private static byte[] digest(List<String> texts, byte[] bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String text : texts) {
                digest.update(text.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0); // in none of them, so that no two lists are the same bytes
            }
            return digest.digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
