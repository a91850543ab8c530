package io.millrace.memcached.sasl;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The server side of one SCRAM login without channel binding (RFC 5802): {@link #start}, then {@link #finish}. An unknown
 * user gets the same exchange as a wrong password, so that a client cannot find out which users exist.
 */
public final class ScramServer {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NONCE_BYTES = 18;
    private static final int DECOY_SALT_BYTES = 16;

    private final ScramMechanism mechanism;
    private final Function<String, @Nullable ScramKeys> users;
    private final int usualIterations;
    private final byte[] decoyKey;
    private @Nullable Exchange exchange;

    private record Exchange(
            String user,
            @Nullable ScramKeys keys,
            String header,
            String nonce,
            String clientFirst,
            String serverFirst) {}

    /**
     * @param users returns the keys of a user, or null if it does not exist
     * @param usualIterations the iteration count to report for unknown users
     * @param decoyKey a secret from which the salts of unknown users are made; the same in all processes that have these users,
     *     and after a restart, because the salts of users stay the same as well
     */
    public ScramServer(
            ScramMechanism mechanism,
            Function<String, @Nullable ScramKeys> users,
            int usualIterations,
            byte[] decoyKey) {
        this.mechanism = mechanism;
        this.users = users;
        this.usualIterations = usualIterations;
        this.decoyKey = decoyKey.clone();
    }

    /** Returns the user who logs in, or nothing before the first message and after the last one. */
    public Optional<String> user() {
        return Optional.ofNullable(exchange).map(Exchange::user);
    }

    /** Processes the first message of the client. */
    public SaslStep start(byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        int flag = text.indexOf(',');
        int header = text.indexOf(',', flag + 1);
        if (flag < 0 || header < 0) {
            return failed("The first message has no header");
        }
        if (!text.startsWith("n,") && !text.startsWith("y,")) {
            return failed("Channel binding is not supported");
        }
        String bare = text.substring(header + 1);
        ScramMessage first = ScramMessage.parse(bare);
        String written = first == null ? null : first.get('n');
        String nonce = first == null ? null : first.get('r');
        String user = written == null ? null : ScramMessage.unescape(written);
        if (first == null || first.get('m') != null || user == null || nonce == null || nonce.isEmpty()) {
            return failed("The first message is not valid");
        }
        String authorization = text.substring(flag + 1, header);
        if (!authorization.isEmpty() && !authorization.equals("a=" + written)) {
            return failed("Acting as another user is not supported");
        }
        ScramKeys keys = users.apply(user);
        byte[] salt = keys == null ? decoySalt(user) : keys.salt();
        int iterations = keys == null ? usualIterations : keys.iterations();
        String whole = nonce + Base64.getEncoder().encodeToString(random(NONCE_BYTES));
        String answer = "r=" + whole + ",s=" + Base64.getEncoder().encodeToString(salt) + ",i=" + iterations;
        exchange = new Exchange(user, keys, text.substring(0, header + 1), whole, bare, answer);
        return new SaslStep.Challenge(answer.getBytes(StandardCharsets.UTF_8));
    }

    /** Processes the final message of the client. */
    public SaslStep finish(byte[] message) {
        Exchange begun = exchange;
        exchange = null;
        if (begun == null) {
            return failed("The final message came before the first one");
        }
        String text = new String(message, StandardCharsets.UTF_8);
        int proofAt = text.lastIndexOf(",p=");
        ScramMessage last = ScramMessage.parse(text);
        byte[] proof = last == null ? null : last.bytes('p');
        byte[] binding = last == null ? null : last.bytes('c');
        if (last == null || proofAt < 0 || proof == null || binding == null || proof.length != mechanism.keyBytes()) {
            return failed("The final message is not valid");
        }
        if (!begun.header.equals(new String(binding, StandardCharsets.UTF_8)) || !begun.nonce.equals(last.get('r'))) {
            return failed("The final message does not match the first one");
        }
        ScramKeys keys = begun.keys;
        if (keys == null) {
            return failed("The user does not exist");
        }
        String signed = begun.clientFirst + ',' + begun.serverFirst + ',' + text.substring(0, proofAt);
        ScramMechanism.xor(proof, mechanism.hmac(keys.storedKey(), signed));
        if (!MessageDigest.isEqual(mechanism.hash(proof), keys.storedKey())) {
            return failed("The password is wrong");
        }
        String answer = "v=" + Base64.getEncoder().encodeToString(mechanism.hmac(keys.serverKey(), signed));
        return new SaslStep.Done(begun.user, answer.getBytes(StandardCharsets.UTF_8));
    }

    private static SaslStep failed(String reason) {
        return new SaslStep.Failed(reason);
    }

    /** Returns the same salt for the same unknown user every time, as for a real one. */
    private byte[] decoySalt(String user) {
        byte[] salt = new byte[DECOY_SALT_BYTES];
        System.arraycopy(mechanism.hmac(decoyKey, user), 0, salt, 0, salt.length);
        return salt;
    }

    private static byte[] random(int bytes) {
        byte[] array = new byte[bytes];
        RANDOM.nextBytes(array);
        return array;
    }

    /** The result of one message of a client that logs in. */
    public sealed interface SaslStep {

        /** The client must answer this message. */
        record Challenge(byte[] message) implements SaslStep {}

        /** The login succeeded; with the message the client verifies that the server knows the password. */
        record Done(String user, byte[] message) implements SaslStep {}

        /** The login has failed. @param reason the reason, for the log only, not for the client */
        record Failed(String reason) implements SaslStep {}
    }
}
