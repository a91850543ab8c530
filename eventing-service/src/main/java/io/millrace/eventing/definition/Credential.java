package io.millrace.eventing.definition;

/**
 * A password or a key of a URL binding: the name of a secret, or the text itself as a client has sent it. Definitions are
 * stored with names only.
 *
 * @param clear the text, "" if there is none or it is a secret
 * @param secret the name of the secret, "" if there is none
 */
public record Credential(String clear, String secret) {

    /** No password. */
    public static final Credential NONE = new Credential("", "");

    /** Shown in place of a secret; a client that sends it back keeps the stored secret. */
    static final String MASK = "*****";

    /** What the names of secrets begin with that were stored for one binding. */
    public static final String GENERATED_PREFIX = "_";

    /** Returns the text as a client sent it. */
    static Credential clear(String text) {
        return text.isEmpty() ? NONE : new Credential(text, "");
    }

    /** Returns the secret with a name. */
    public static Credential secret(String name) {
        return new Credential("", name);
    }

    /** Returns whether this is a secret that was stored for this binding alone, under a name that users cannot use. */
    public boolean generated() {
        return secret.startsWith(GENERATED_PREFIX);
    }

    boolean masked() {
        return clear.equals(MASK);
    }

    /** Returns whether this is a text that has to become a secret. */
    public boolean open() {
        return !clear.isEmpty() && !masked();
    }

    /** Leaves out the text. */
    @Override
    public String toString() {
        return secret.isEmpty() ? (clear.isEmpty() ? "none" : "hidden") : "secret " + secret;
    }
}
