/** Ownership of vbuckets: the next step of a node, its lease, and what Redis grants. For eventing-service. */
@NullMarked
package io.millrace.rebalance.ownership;

import org.jspecify.annotations.NullMarked;
