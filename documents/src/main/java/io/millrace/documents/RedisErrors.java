package io.millrace.documents;

import io.lettuce.core.RedisCommandExecutionException;
import io.millrace.documents.DocumentsException.Code;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What a failure of Redis or of the way to it means. */
final class RedisErrors {

    private RedisErrors() {}

    static DocumentsException translate(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof DocumentsException known) {
            return known;
        }
        String text = String.valueOf(cause.getMessage());
        if (!(cause instanceof RedisCommandExecutionException)) {
            return DocumentsException.of(
                    Code.UNAVAILABLE, "Redis does not answer (%s). Is it running?".formatted(text), cause);
        }
        return switch (word(text)) {
            case "LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY", "MOVED", "ASK", "UNBLOCKED" ->
                DocumentsException.of(Code.UNAVAILABLE, "Redis cannot serve at the moment: %s".formatted(text), cause);
            case "WRONGTYPE" ->
                DocumentsException.of(Code.CORRUPT, "Redis holds something else under a key of ours: " + text, cause);
            default ->
                slotMoving(text)
                        ? DocumentsException.of(
                                Code.UNAVAILABLE,
                                "Redis moves what is asked for at the moment: %s".formatted(text),
                                cause)
                        : functionMissing(cause)
                                ? DocumentsException.of(
                                        Code.UNAVAILABLE, "Redis lost its functions over and over: " + text, cause)
                                : DocumentsException.of(Code.REFUSED, "Redis refuses: %s".formatted(text), cause);
        };
    }

    /** A function came upon a key that is no longer there, or not yet again, in a slot that moves to another node. */
    private static boolean slotMoving(String text) {
        return text.contains("Script attempted to access a non local key");
    }

    private static String word(String text) {
        int blank = text.indexOf(' ');
        return blank < 0 ? text : text.substring(0, blank);
    }

    /** Returns true when the called function is not there, so that nothing was done. */
    static boolean functionMissing(Throwable failure) {
        return unwrap(failure) instanceof RedisCommandExecutionException e
                && String.valueOf(e.getMessage()).contains("Function not found");
    }

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
