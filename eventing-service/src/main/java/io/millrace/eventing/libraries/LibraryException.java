package io.millrace.eventing.libraries;

import java.util.Collection;

/** A library cannot be saved, read or deleted; the message says why and what to do. */
public final class LibraryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        /** The name, the version or the code is not valid. */
        INVALID,
        /** There is no such version of a library. */
        NOT_FOUND,
        /** The version exists with other code. */
        EXISTS,
        /** Functions or other libraries import it. */
        IN_USE
    }

    private final Code code;

    private LibraryException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    /** The library is not valid. @param message why, and what is expected */
    public static LibraryException invalid(String message) {
        return new LibraryException(Code.INVALID, message);
    }

    /** There is no such version. @param message why, and which versions there are */
    public static LibraryException notFound(String message) {
        return new LibraryException(Code.NOT_FOUND, message);
    }

    static LibraryException exists(String id) {
        return new LibraryException(
                Code.EXISTS,
                "The library %s exists with other code, and a version never changes. Save the code under another version."
                        .formatted(id));
    }

    /** @param users names of functions and ids of libraries */
    public static LibraryException inUse(String id, Collection<String> users) {
        return new LibraryException(
                Code.IN_USE,
                "The library %s is imported by %s. Change or delete these first."
                        .formatted(id, String.join(", ", users)));
    }
}
