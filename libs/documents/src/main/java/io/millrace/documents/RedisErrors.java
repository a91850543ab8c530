package io.millrace.documents;

import io.lettuce.core.RedisCommandExecutionException;
import io.millrace.documents.DocumentsException.Code;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What a failure of Redis or of the way to it means. */
final class RedisErrors {

    /** First words of errors that pass by themselves. */
    private static final Set<String> MOMENTARY =
            Set.of("LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY", "MOVED", "ASK", "UNBLOCKED");

    private RedisErrors() {}

    static DocumentsException translate(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof DocumentsException known) {
            return known;
        }
        String text = String.valueOf(cause.getMessage());
        if (!(cause instanceof RedisCommandExecutionException)) {
            return unavailable("Redis does not answer (%s). Is it running?".formatted(text), cause);
        }
        String word = word(text);
        if (MOMENTARY.contains(word)) {
            return unavailable("Redis cannot serve at the moment: " + text, cause);
        }
        if (slotMoving(text)) {
            return unavailable("Redis moves what is asked for at the moment: " + text, cause);
        }
        if (functionMissing(cause)) {
            return unavailable("Redis lost its functions over and over: " + text, cause);
        }
        return word.equals("WRONGTYPE")
                ? DocumentsException.of(Code.CORRUPT, "Redis holds something else under a key of ours: " + text, cause)
                : DocumentsException.of(Code.REFUSED, "Redis refuses: " + text, cause);
    }

    private static DocumentsException unavailable(String message, Throwable cause) {
        return DocumentsException.of(Code.UNAVAILABLE, message, cause);
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
