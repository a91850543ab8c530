package io.millrace.eventing.runtime;

import io.millrace.rebalance.VbucketSet;

/**
 * A version of a running function that handles some of its vbuckets in place of the version that handles the others.
 *
 * @param spec differs from the running one as {@link FunctionSpec#swapsWith} says
 * @param vbuckets what it handles, on every node as far as the node owns them
 */
public record CanarySpec(FunctionSpec spec, VbucketSet vbuckets) {}
