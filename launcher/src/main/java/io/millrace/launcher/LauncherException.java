package io.millrace.launcher;

/** A failure to report to the person who runs Millrace; the message says what to do about it. */
public final class LauncherException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public LauncherException(String message) {
        super(message);
    }

    public LauncherException(String message, Throwable cause) {
        super(message, cause);
    }
}
