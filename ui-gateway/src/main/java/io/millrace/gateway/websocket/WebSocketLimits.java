package io.millrace.gateway.websocket;

import java.time.Duration;

/** The limits of feeds over WebSockets, each with its unit. */
final class WebSocketLimits {

    /** The largest event of a feed, which is in memory as a whole. */
    static final int MAX_EVENT_BYTES = 8 << 20;

    /** The most bytes of a frame of a client, which has nothing to say. */
    static final int MAX_CLIENT_FRAME_BYTES = 4096;

    /** How often a client is sent a ping. */
    static final Duration PING = Duration.ofSeconds(15);

    /** A client from which nothing has come for so long, not even a pong, has gone. */
    static final Duration SILENCE = Duration.ofSeconds(50);

    /** How often to look whether a client takes what waits for it. */
    static final Duration LOOK = Duration.ofSeconds(1);

    private WebSocketLimits() {}
}
