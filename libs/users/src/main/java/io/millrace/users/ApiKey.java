package io.millrace.users;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A key for programs, with roles of its own. Its secret is 256 random bits, of which only the hash is stored: a search
 * through all of them is hopeless, so the hash need not be slow.
 *
 * @param id names the key in lists and in the audit trail
 * @param description what the key is for
 * @param createdBy the subject that created it
 * @param hash the SHA-256 of the secret, in hexadecimal
 * @param expires when it stops working, or null if it does not
 */
public record ApiKey(
        String id,
        String description,
        String createdBy,
        List<Role> roles,
        String hash,
        Instant created,
        @Nullable Instant expires) {

    /** The beginning of every key, by which scanners of source code find leaked ones. */
    static final String PREFIX = "mrk_";

    /** A key with its secret text, which exists only while it is created. */
    public record Created(ApiKey key, String token) {}

    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final JsonMapper JSON = JsonMapper.shared();

    public ApiKey {
        roles = List.copyOf(roles);
    }

    /** Makes a key with a random secret. */
    public static Created create(
            String description, String createdBy, List<Role> roles, Instant now, @Nullable Instant expires) {
        String id = HexFormat.of().formatHex(random(ID_BYTES));
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random(SECRET_BYTES));
        return new Created(
                new ApiKey(id, description, createdBy, roles, sha256(secret), now, expires),
                PREFIX + id + "_" + secret);
    }

    /** Returns the id in the text of a key, or nothing if the text is not one. */
    static Optional<String> id(String token) {
        int end = token.indexOf('_', PREFIX.length());
        return token.startsWith(PREFIX) && end == PREFIX.length() + 2 * ID_BYTES
                ? Optional.of(token.substring(PREFIX.length(), end))
                : Optional.empty();
    }

    /** Returns whether the text is this key and the key has not expired. */
    boolean matches(String token, Instant now) {
        String secret = token.substring(PREFIX.length() + id.length() + 1);
        boolean same = MessageDigest.isEqual(
                sha256(secret).getBytes(StandardCharsets.US_ASCII), hash.getBytes(StandardCharsets.US_ASCII));
        return same && (expires == null || now.isBefore(expires));
    }

    /** Returns the subject of requests with this key. */
    public Subject subject() {
        return Subject.user("key:" + id, Subject.Domain.LOCAL, roles);
    }

    byte[] json() {
        ObjectNode json = JSON.createObjectNode()
                .put("id", id)
                .put("description", description)
                .put("createdBy", createdBy)
                .put("hash", hash)
                .put("created", created.toString())
                .put("expires", expires == null ? null : expires.toString());
        json.set("roles", JSON.valueToTree(roles.stream().map(Role::toString).toList()));
        return JSON.writeValueAsBytes(json);
    }

    /** @throws IllegalArgumentException if the bytes are not a key */
    static ApiKey parse(byte[] bytes) {
        try {
            JsonNode json = JSON.readTree(bytes);
            String expires = json.path("expires").asString("");
            return new ApiKey(
                    json.get("id").asString(),
                    json.path("description").asString(""),
                    json.path("createdBy").asString(""),
                    User.roles(json),
                    json.get("hash").asString(),
                    Instant.parse(json.get("created").asString()),
                    expires.isEmpty() ? null : Instant.parse(expires));
        } catch (JacksonException | NullPointerException | DateTimeException e) {
            throw new IllegalArgumentException("The entry is not an API key", e);
        }
    }

    private static byte[] random(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
