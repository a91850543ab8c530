package io.millrace.eventing.http.topics;

import java.time.Duration;

/** The limits of following topics over HTTP, each with its unit. */
final class FollowLimits {

    /** The most requests that follow topics in this process. */
    static final int MAX_FOLLOWERS = 4_000;

    /** The most of these of one user. */
    static final int MAX_FOLLOWERS_PER_USER = 500;

    /** A follower gets at least a comment in this time, so that both ends notice a connection that is gone. */
    static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** How long to wait before a Redis that is unavailable is asked again. */
    static final Duration RETRY = Duration.ofSeconds(1);

    private FollowLimits() {}
}
