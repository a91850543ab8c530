/**
 * Configuration and identity of this node, and who owns which vbuckets. No other package depends on it.
 */
@NullMarked
package io.millrace.eventing.http.node;

import org.jspecify.annotations.NullMarked;
