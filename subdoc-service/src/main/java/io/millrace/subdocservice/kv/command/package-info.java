/**
 * A command for every opcode of the binary protocol. {@link io.millrace.subdocservice.kv.command.Dispatcher} is the table
 * of all commands; {@link io.millrace.subdocservice.kv.command.CommandErrors} maps failures of the store to statuses.
 * Knows nothing of connections; {@code kv} and {@code kv.durability} depend on it.
 */
@NullMarked
package io.millrace.subdocservice.kv.command;

import org.jspecify.annotations.NullMarked;
