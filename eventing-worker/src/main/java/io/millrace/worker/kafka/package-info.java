/**
 * The topics of Kafka behind {@code publish()}: the clusters that the operator has named, a producer for each, messages in
 * their order. Only the worker's host for handlers calls it, and no class of Kafka is loaded before the first message.
 */
@NullMarked
package io.millrace.worker.kafka;

import org.jspecify.annotations.NullMarked;
