/** Tests of messages to Kafka against a broker of the real thing. */
@NullMarked
package io.millrace.worker.kafka;

import org.jspecify.annotations.NullMarked;
