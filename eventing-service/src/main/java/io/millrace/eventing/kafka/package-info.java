/**
 * The topics of Kafka whose messages functions handle, in the clusters that the operator has named. Offsets are the
 * caller's: there are no consumer groups. {@code runtime} and {@code delivery} use it; it depends on no other package of the
 * service.
 */
@NullMarked
package io.millrace.eventing.kafka;

import org.jspecify.annotations.NullMarked;
