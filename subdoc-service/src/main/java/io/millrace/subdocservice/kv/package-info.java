/**
 * Documents over the binary protocol: connections, logins, and a command for every opcode. {@link
 * io.millrace.subdocservice.kv.Dispatcher} is the table of everything that is offered; {@link
 * io.millrace.subdocservice.kv.KvErrors} is the table of everything that can go wrong in the store. Nothing else depends
 * on this package.
 */
@NullMarked
package io.millrace.subdocservice.kv;

import org.jspecify.annotations.NullMarked;
