package io.millrace.couch.document;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** MD5, because that is what revisions and attachments have in CouchDB; nothing here is a secret. */
final class Hashes {

    private Hashes() {}

    static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has MD5", e);
        }
    }

    /** Returns 32 hexadecimal digits. */
    static String md5(String text) {
        return HexFormat.of().formatHex(md5().digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
