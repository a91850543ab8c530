package io.millrace.documents;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Names one attempt to write, so that a repetition after a lost answer is recognized (CouchDB RFC 003, unknown commit
 * result).
 *
 * @param number any number
 */
public record TransactionId(long number) {

    public static TransactionId random() {
        return new TransactionId(ThreadLocalRandom.current().nextLong());
    }

    /** Returns the id that stands for a text of any length, such as an {@code Idempotency-Key}. */
    public static TransactionId of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return new TransactionId(ByteBuffer.wrap(digest).getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }

    /** Returns the 8 bytes of the number, the highest first. */
    public byte[] bytes() {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
