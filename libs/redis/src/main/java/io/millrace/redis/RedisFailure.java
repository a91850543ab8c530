package io.millrace.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.cluster.PartitionSelectorException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What a failed call to Redis means.
 *
 * @param message for a person: what is wrong and, where that is known, what to do
 */
public record RedisFailure(Kind kind, String message, Throwable cause) {

    /** What a caller may do about it. */
    public enum Kind {
        /** Redis cannot be reached or cannot serve at the moment; the call may or may not have been executed. */
        UNAVAILABLE,
        /** A key holds a value of another type than this version writes. */
        WRONG_TYPE,
        /** Redis refused the command: out of memory, failed persistence, an error in a function. */
        REFUSED
    }

    /** First words of errors that pass without intervention. */
    private static final Set<String> TRANSIENT =
            Set.of("LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY", "MOVED", "ASK", "UNBLOCKED");

    /** First words of errors that pass when there is space, or a replica, again. */
    private static final Set<String> FULL = Set.of("OOM", "MISCONF", "NOREPLICAS");

    /** Returns whether Redis refused a write, and did nothing, only because it cannot keep more at the moment. */
    public static boolean full(@Nullable Throwable failure) {
        return failure != null && FULL.contains(word(failure));
    }

    /** Returns whether Redis refused a write, and did nothing, but serves reads: it is full, or a replica. */
    public static boolean takesNoWrites(@Nullable Throwable failure) {
        return full(failure) || failure != null && word(failure).equals("READONLY");
    }

    /** Returns whether a call ended without an answer: it may have been executed, unless no connection could be opened. */
    public static boolean unanswered(Throwable failure) {
        Throwable cause = unwrap(failure);
        return !(cause instanceof RedisCommandExecutionException
                || cause instanceof RedisConnectionException
                || cause instanceof PartitionSelectorException);
    }

    /** Returns what an exception of Lettuce means; wrappers of futures around it are ignored. */
    public static RedisFailure of(Throwable failure) {
        Throwable cause = unwrap(failure);
        String text = String.valueOf(cause.getMessage());
        if (cause instanceof PartitionSelectorException) {
            return unavailable(
                    "No node of the Redis cluster is known for the requested keys (%s) Is a node joining, or lost?"
                            .formatted(text),
                    cause);
        }
        if (!(cause instanceof RedisCommandExecutionException)) {
            return unavailable("Redis does not answer (%s). Is it running?".formatted(text), cause);
        }
        String word = word(text);
        if (TRANSIENT.contains(word)) {
            return unavailable("Redis cannot serve requests at the moment: " + text, cause);
        }
        if (slotMoving(text)) {
            return unavailable("Redis is moving the requested keys to another node: " + text, cause);
        }
        if (functionMissing(cause)) {
            return unavailable("Redis lost its functions again after they had been loaded: " + text, cause);
        }
        return word.equals("WRONGTYPE")
                ? new RedisFailure(
                        Kind.WRONG_TYPE, "A key in Redis holds a value of an unexpected type: " + text, cause)
                : new RedisFailure(Kind.REFUSED, "Redis refused the command: " + text, cause);
    }

    private static RedisFailure unavailable(String message, Throwable cause) {
        return new RedisFailure(Kind.UNAVAILABLE, message, cause);
    }

    /** A function found that a key is not on this node, because a cluster is moving its slot to another one. */
    private static boolean slotMoving(String text) {
        return text.contains("Script attempted to access a non local key");
    }

    /** Returns the first word of an error of Redis, empty for another failure. */
    private static String word(Throwable failure) {
        return unwrap(failure) instanceof RedisCommandExecutionException e ? word(String.valueOf(e.getMessage())) : "";
    }

    private static String word(String text) {
        int blank = text.indexOf(' ');
        return blank < 0 ? text : text.substring(0, blank);
    }

    /** Returns true when the called function is not loaded, so that nothing was executed. */
    public static boolean functionMissing(Throwable failure) {
        return unwrap(failure) instanceof RedisCommandExecutionException e
                && String.valueOf(e.getMessage()).contains("Function not found");
    }

    /** Returns the exception inside those with which futures wrap it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
