/**
 * Short requests from connection to connection: the part of the gateway that knows Netty's channels and nothing of services,
 * logins and limits. What may go this way, and within which limits, says {@link io.millrace.gateway.fastpath.FastPath}.
 */
@NullMarked
package io.millrace.gateway.fastpath;

import org.jspecify.annotations.NullMarked;
