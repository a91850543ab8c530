/** Tests, and the simulation of a cluster in virtual time. */
@NullMarked
package io.millrace.rebalance;

import org.jspecify.annotations.NullMarked;
