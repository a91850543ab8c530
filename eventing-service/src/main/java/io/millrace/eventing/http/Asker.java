package io.millrace.eventing.http;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Subject;
import io.millrace.eventing.definition.FunctionName;

/** Who sends a request, for the lists that show only what a user may read. */
public record Asker(Subject subject) {

    /** Returns whether the user may read a function. */
    public boolean reads(FunctionName function) {
        return Access.allowed(
                subject, Permission.FUNCTIONS_READ, Resource.functionScope(function.bucket(), function.scope()));
    }
}
