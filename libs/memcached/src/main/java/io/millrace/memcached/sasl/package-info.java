/**
 * Logins: SCRAM (RFC 5802, RFC 7677) on both sides, and the message of PLAIN (RFC 4616). Depends on nothing else here.
 */
@NullMarked
package io.millrace.memcached.sasl;

import org.jspecify.annotations.NullMarked;
