/**
 * Durable writes of the binary protocol with the means of Redis. Implements {@link
 * io.millrace.subdocservice.kv.command.DurableWrites}; {@code kv} depends on it.
 */
@NullMarked
package io.millrace.subdocservice.kv.durability;

import org.jspecify.annotations.NullMarked;
