package io.millrace.subdocservice.subdocuments;

import io.millrace.subdoc.Outcome;
import io.millrace.subdoc.PathResult;
import io.millrace.subdoc.Status;
import java.util.List;

/**
 * The result of a request after its changes are stored.
 *
 * @param results as in {@link Outcome#results}
 * @param cas the version of the document: the new one after a mutation, at the same time its seqno; the current one
 *     after a look-up or a CAS mismatch; 0 if unknown
 * @param locked whether a document that was looked up is locked
 * @param repeated whether the transaction was known: nothing was changed again, and there are no results
 */
public record ExecutionResult(Status status, List<PathResult> results, long cas, boolean locked, boolean repeated) {

    /** Nothing was done; the version is 0 if unknown. */
    public static ExecutionResult refused(Status status, long cas) {
        return new ExecutionResult(status, List.of(), cas, false, false);
    }

    /** An earlier request with the same transaction did the mutation. */
    static ExecutionResult repeated(long cas) {
        return new ExecutionResult(Status.SUCCESS, List.of(), cas, false, true);
    }
}
