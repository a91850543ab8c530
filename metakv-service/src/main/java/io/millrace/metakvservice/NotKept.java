package io.millrace.metakvservice;

/** Some of the changes that are asked for are not kept any more, or are more than may be read at once. */
final class NotKept extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final NotKept INSTANCE = new NotKept();

    private NotKept() {
        super("Changes that are not kept any more", null, false, false);
    }
}
