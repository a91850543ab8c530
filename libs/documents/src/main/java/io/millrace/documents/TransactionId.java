package io.millrace.documents;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * Names one attempt to write, so that a repetition after a lost answer is recognized (CouchDB RFC 003, unknown commit
 * result).
 *
 * @param hex 16 lower-case hexadecimal digits
 */
public record TransactionId(String hex) {

    private static final Pattern FORM = Pattern.compile("[0-9a-f]{16}");
    private static final HexFormat HEX = HexFormat.of();

    public TransactionId {
        Objects.requireNonNull(hex, "hex");
        if (!FORM.matcher(hex).matches()) {
            throw new IllegalArgumentException("A transaction id is 16 lower-case hexadecimal digits: " + hex);
        }
    }

    public static TransactionId random() {
        return new TransactionId(HEX.toHexDigits(ThreadLocalRandom.current().nextLong()));
    }

    /** Returns the id that stands for a text of any length, such as an {@code Idempotency-Key}. */
    public static TransactionId of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return new TransactionId(HEX.formatHex(digest, 0, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }

    /** Returns the 8 bytes that the digits stand for. */
    public byte[] bytes() {
        return HEX.parseHex(hex);
    }
}
