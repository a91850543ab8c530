package io.millrace.eventing.secrets;

/** A secret cannot be stored or used; the message says why and what to do. */
public final class SecretException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /** The name or the URL is not valid, or the value is missing or too long. */
        INVALID,
        /** There is no secret with this name. */
        NOT_FOUND,
        /** The secret is for another URL or function. */
        OTHER_ORIGIN,
        /** This node has no master key. */
        NO_MASTER_KEY,
        /** The stored secret cannot be decrypted. */
        UNREADABLE,
        /** Functions use the secret. */
        IN_USE
    }

    private final Code code;

    private SecretException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    static SecretException invalid(String message) {
        return new SecretException(Code.INVALID, message);
    }

    /** There is no secret with a name. */
    public static SecretException notFound(String name) {
        return new SecretException(
                Code.NOT_FOUND,
                "There is no secret '%s'. Create it with PUT /api/v1/secrets/%s.".formatted(name, name));
    }

    static SecretException otherOrigin(String name, String origin, String wanted) {
        return new SecretException(
                Code.OTHER_ORIGIN,
                "The secret '%s' is for %s and cannot be used for %s.".formatted(name, origin, wanted));
    }

    static SecretException noMasterKey() {
        return new SecretException(
                Code.NO_MASTER_KEY,
                "Secrets cannot be stored or read: this node has no master key. Set MILLRACE_MASTER_KEY_FILE to a file"
                        + " with 32 random bytes in Base64, as 'openssl rand -base64 32' prints them, and start"
                        + " eventing-service again.");
    }

    static SecretException unreadable(String why) {
        return new SecretException(Code.UNREADABLE, "The secret cannot be read: %s.".formatted(why));
    }

    /** @param functions their names */
    public static SecretException inUse(String name, java.util.Collection<String> functions) {
        return new SecretException(
                Code.IN_USE,
                "The secret '%s' is used by %s. Change or delete these functions first."
                        .formatted(name, String.join(", ", functions)));
    }
}
