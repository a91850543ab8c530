package io.millrace.gateway.websocket;

/** Why a feed over a WebSocket ends, as its client is told (RFC 6455, section 7.4). */
enum WebSocketEnd {
    /** This gateway ends. */
    STOPPING(1001, "stopping"),

    /** The client has sent a message. */
    NO_MESSAGES_EXPECTED(1003, "no_messages_expected"),

    /** The reader would not be let in again as who it was. */
    ACCESS_CHANGED(1008, "access_changed"),

    EVENT_TOO_LARGE(1009, "event_too_large"),

    /** The service has ended the feed, or is gone. */
    FEED_ENDED(1012, "feed_ended"),

    /** The client has taken none of the bytes that wait for it. */
    TOO_SLOW(4408, "too_slow"),

    /** The client has ended it, or does not answer: nothing can be said to it. */
    CLIENT_GONE(1006, "");

    private final int code;
    private final String reason;

    WebSocketEnd(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    int code() {
        return code;
    }

    String reason() {
        return reason;
    }
}
