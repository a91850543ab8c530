package io.millrace.memcached.sasl;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;

/** The client's side of one SCRAM login (RFC 5802): {@link #start}, {@link #answer}, {@link #accepts}. */
public final class ScramClient {

    private static final String HEADER = "n,,";

    private final ScramMechanism mechanism;
    private final String user;
    private final String password;
    private final String nonce;
    private byte[] expected = {};

    /** @param nonce printable characters without a comma; must be unique */
    public ScramClient(ScramMechanism mechanism, String user, String password, String nonce) {
        this.mechanism = mechanism;
        this.user = user;
        this.password = password;
        this.nonce = nonce;
    }

    private String bare() {
        return "n=" + ScramMessage.escape(user) + ",r=" + nonce;
    }

    /** Returns the first message. */
    public byte[] start() {
        return (HEADER + bare()).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the final message for the first one of the server; throws {@link IllegalArgumentException} if that is invalid. */
    public byte[] answer(byte[] challenge) {
        String text = new String(challenge, StandardCharsets.UTF_8);
        ScramMessage message = ScramMessage.parse(text);
        String whole = message == null ? null : message.get('r');
        byte[] salt = message == null ? null : message.bytes('s');
        String iterations = message == null ? null : message.get('i');
        if (whole == null || salt == null || iterations == null || !whole.startsWith(nonce)) {
            throw new IllegalArgumentException("Not a valid first message of the server: " + text);
        }
        String last =
                "c=" + Base64.getEncoder().encodeToString(HEADER.getBytes(StandardCharsets.UTF_8)) + ",r=" + whole;
        String signed = bare() + ',' + text + ',' + last;
        byte[] salted = mechanism.salted(password, salt, Integer.parseInt(iterations));
        byte[] proof = mechanism.hmac(salted, "Client Key");
        ScramMechanism.xor(proof, mechanism.hmac(mechanism.hash(proof), signed));
        expected = mechanism.hmac(mechanism.hmac(salted, "Server Key"), signed);
        return (last + ",p=" + Base64.getEncoder().encodeToString(proof)).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns whether the final message of the server proves that it knows the password. */
    public boolean accepts(byte[] message) {
        ScramMessage last = ScramMessage.parse(new String(message, StandardCharsets.UTF_8));
        byte[] signature = last == null ? null : last.bytes('v');
        return signature != null && MessageDigest.isEqual(expected, signature);
    }
}
