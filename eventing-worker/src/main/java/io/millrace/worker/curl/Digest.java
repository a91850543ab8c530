package io.millrace.worker.curl;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers to the challenge of digest authentication, with and without qop=auth (RFC 7616). */
final class Digest {

    /** A field of a challenge, or the name of a kind of authentication, with which the next one begins. */
    private static final Pattern PART =
            Pattern.compile("(\\w+)\\s*=\\s*(?:\"((?:[^\"\\\\]++|\\\\.)*+)\"|([^\\s,]+))|([\\w-]+)");

    private static final SecureRandom RANDOM = new SecureRandom();

    private Digest() {}

    /** Returns the Authorization header for the first challenge that can be met, or nothing if none can. */
    static Optional<String> answer(String challenges, String user, String password, String method, URI url) {
        return fields(challenges).stream()
                .flatMap(fields -> answer(fields, user, password, method, url).stream())
                .findFirst();
    }

    /** Returns the fields of each challenge of digest authentication; servers also offer other kinds in the same header. */
    private static List<Map<String, String>> fields(String challenges) {
        List<Map<String, String>> found = new ArrayList<>();
        Map<String, String> fields = new HashMap<>();
        for (Matcher part = PART.matcher(challenges); part.find(); ) {
            if (part.group(1) != null) {
                String value = part.group(2) != null ? part.group(2) : part.group(3);
                fields.put(part.group(1).toLowerCase(Locale.ROOT), value);
            } else {
                fields = new HashMap<>();
                if (part.group(4).equalsIgnoreCase("digest")) {
                    found.add(fields);
                }
            }
        }
        return found;
    }

    private static Optional<String> answer(
            Map<String, String> fields, String user, String password, String method, URI url) {
        String algorithm = fields.getOrDefault("algorithm", "MD5");
        boolean session = algorithm.toLowerCase(Locale.ROOT).endsWith("-sess");
        String hash = session ? algorithm.substring(0, algorithm.length() - "-sess".length()) : algorithm;
        String nonce = fields.get("nonce");
        if (nonce == null || !hash.equalsIgnoreCase("MD5") && !hash.equalsIgnoreCase("SHA-256")) {
            return Optional.empty();
        }
        String protections = fields.get("qop");
        boolean qop = protections != null;
        if (protections != null && !protections.matches("(.*[\\s,])?auth([\\s,].*)?")) {
            return Optional.empty();
        }
        String realm = fields.getOrDefault("realm", "");
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String uri = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        String clientNonce = HexFormat.of().toHexDigits(RANDOM.nextLong());
        String count = "00000001";
        String secret = hashed(hash, user + ":" + realm + ":" + password);
        if (session) {
            secret = hashed(hash, secret + ":" + nonce + ":" + clientNonce);
        }
        String request = hashed(hash, method + ":" + uri);
        String middle = qop ? nonce + ":" + count + ":" + clientNonce + ":auth" : nonce;
        String response = hashed(hash, secret + ":" + middle + ":" + request);
        StringBuilder header = new StringBuilder(
                "Digest username=\"%s\", realm=\"%s\", nonce=\"%s\", uri=\"%s\", response=\"%s\", algorithm=%s"
                        .formatted(user.replace("\"", "\\\""), realm, nonce, uri, response, algorithm));
        if (qop) {
            header.append(", qop=auth, nc=")
                    .append(count)
                    .append(", cnonce=\"")
                    .append(clientNonce)
                    .append('"');
        }
        if (fields.containsKey("opaque")) {
            header.append(", opaque=\"").append(fields.get("opaque")).append('"');
        }
        return Optional.of(header.toString());
    }

    private static String hashed(String algorithm, String text) {
        try {
            byte[] digest = MessageDigest.getInstance(algorithm.toUpperCase(Locale.ROOT))
                    .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has it", e);
        }
    }
}
