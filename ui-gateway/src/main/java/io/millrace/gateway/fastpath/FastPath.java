package io.millrace.gateway.fastpath;

import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** Decides which requests go from connection to connection. */
public interface FastPath {

    /** The longest body that is kept until it is whole: as much as one read of a connection brings. */
    int SHORT_BYTES = 16 * 1024;

    /**
     * Returns the way of a request that everything in front of its service would let through as it is, or null for any other:
     * that one goes to the server as if there was no fast path. Called by the event loop of the client, so it must not block.
     *
     * @param request its header; the body is not part of it
     */
    @Nullable
    Passage passage(ServerHttpRequest request);
}
