package io.millrace.subdoc.requests;

import io.millrace.subdoc.Outcome;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Snapshot;
import io.millrace.subdoc.Status;

/** What {@link io.millrace.subdoc.Commands} delegates to. */
public final class Requests {

    private Requests() {}

    /** Returns SUCCESS, or why a request is refused whatever is stored. */
    public static Status check(Request request) {
        return new RequestCheck(request).status();
    }

    /** Carries out a request unless {@link #check} refuses it. */
    public static Outcome run(Request request, Snapshot before) {
        Status status = check(request);
        if (status != Status.SUCCESS) {
            return Outcome.refused(status);
        }
        return request.mutation() ? new Mutation(request, before).run() : new Lookups(request, before).run();
    }
}
