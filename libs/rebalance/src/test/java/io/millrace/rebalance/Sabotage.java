package io.millrace.rebalance;

/** Defects that the simulation must detect. */
enum Sabotage {
    NONE,
    /** The store grants vbuckets whose owner is alive. */
    TAKE_OVER_BEFORE_LEASE_END,
    /** A node continues after its lease has ended. */
    IGNORE_OWN_LEASE,
    /** A node continues with released vbuckets until the release is confirmed. */
    RELEASE_WITHOUT_STOPPING,
    /** A checkpoint covers dispatched events that are not handled yet. */
    CHECKPOINT_AHEAD,
    /** The store accepts checkpoints of former owners. */
    NO_FENCE,
    /** A timer is deleted before it fires. */
    TIMER_DELETED_FIRST,
    /** After a lapse of its lease, a node does not check what it still owns. */
    NO_LOOK_AFTER_LAPSE
}
