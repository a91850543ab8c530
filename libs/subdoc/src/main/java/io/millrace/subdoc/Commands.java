package io.millrace.subdoc;

import io.millrace.subdoc.requests.Requests;

/**
 * Sub-document requests on what a store holds: pure functions from a request and a {@link Snapshot} to an
 * {@link Outcome}.
 *
 * <p>A server asks {@link #check} before it reads the document, then {@link #run}, and stores the {@link Change} of the
 * outcome if the document still has the CAS that it read; otherwise it reads again and repeats.
 */
public final class Commands {

    private Commands() {}

    /**
     * Returns SUCCESS, or why the request is refused regardless of what is stored. These reasons take precedence over
     * those that depend on the document.
     */
    public static Status check(Request request) {
        return Requests.check(request);
    }

    /** Carries out a request; one that {@link #check} refuses is refused here as well. */
    public static Outcome run(Request request, Snapshot before) {
        return Requests.run(request, before);
    }
}
