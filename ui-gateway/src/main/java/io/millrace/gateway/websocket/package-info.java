/**
 * Feeds over WebSockets: the events of a response become messages, and the end of a feed a close code. The proxy, which has the
 * response, calls it; it knows no service.
 */
@NullMarked
package io.millrace.gateway.websocket;

import org.jspecify.annotations.NullMarked;
