/**
 * This node as a part of the cluster: its registration, its part in topology changes, and the layout that it follows.
 *
 * <p>{@code functions} and {@code http} depend on this package; it depends on {@code producer}, whose
 * {@link io.millrace.eventing.runtime.Membership} it is, on MetaKV and on the rebalance library.
 */
@NullMarked
package io.millrace.eventing.topology;

import org.jspecify.annotations.NullMarked;
