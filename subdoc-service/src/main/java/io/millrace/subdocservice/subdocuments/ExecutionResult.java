package io.millrace.subdocservice.subdocuments;

import io.millrace.subdoc.Outcome;
import io.millrace.subdoc.PathResult;
import io.millrace.subdoc.Status;
import java.util.List;

/**
 * What a request came to, after everything that it changes is stored.
 *
 * @param results as in {@link Outcome#results}
 * @param cas the version of the document: the new one after a mutation, at the same time its seqno; the present one after
 *     a look-up, and when another than the expected was met; 0 when there is none to tell
 * @param locked true when a document was looked up that somebody has locked
 * @param repeated true when the transaction was known: nothing was changed again, and there are no results
 */
public record ExecutionResult(Status status, List<PathResult> results, long cas, boolean locked, boolean repeated) {

    /** Nothing was done; the version is 0 when there is none to tell. */
    public static ExecutionResult refused(Status status, long cas) {
        return new ExecutionResult(status, List.of(), cas, false, false);
    }

    /** The mutation was carried out before, under the same transaction. */
    static ExecutionResult repeated(long cas) {
        return new ExecutionResult(Status.SUCCESS, List.of(), cas, false, true);
    }
}
