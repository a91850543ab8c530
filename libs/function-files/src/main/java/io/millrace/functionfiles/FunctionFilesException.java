package io.millrace.functionfiles;

/** A function's files cannot be read or written; the message names the file and what to do. */
public final class FunctionFilesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FunctionFilesException(String message) {
        super(message);
    }

    FunctionFilesException(String message, Throwable cause) {
        super(message, cause);
    }
}
