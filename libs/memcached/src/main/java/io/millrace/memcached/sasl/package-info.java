/**
 * Authentication: both sides of SCRAM (RFC 5802, RFC 7677), and the message of PLAIN (RFC 4616). Independent of the rest of
 * the module.
 */
@NullMarked
package io.millrace.memcached.sasl;

import org.jspecify.annotations.NullMarked;
