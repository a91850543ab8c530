package io.millrace.eventing.runtime;

/** Where a function starts in the feed of its source when it has no checkpoints. */
public enum FeedBoundary {
    /** With the oldest change. */
    EVERYTHING,
    /** Behind the newest change at the time of the deployment. */
    FROM_NOW
}
