package io.millrace.couch.document;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** MD5 hashes, which CouchDB uses for revisions and attachments; they protect no secrets. */
final class Hashes {

    private Hashes() {}

    static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform supports MD5", e);
        }
    }

    /** Returns 32 hexadecimal digits. */
    static String md5(String text) {
        return HexFormat.of().formatHex(md5().digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
