package io.millrace.eventing.versions;

import io.millrace.eventing.definition.FunctionDefinition;
import org.jspecify.annotations.Nullable;

/**
 * A version that was saved while the function was deployed: it takes the place of the deployed one as soon as the function
 * has paused, which then resumes.
 */
public record Staged(
        FunctionDefinition definition,
        Version version,
        @Nullable FunctionOwner owner) {}
