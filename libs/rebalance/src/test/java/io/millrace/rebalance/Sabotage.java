package io.millrace.rebalance;

/** Mistakes that the simulation must find. */
enum Sabotage {
    NONE,
    /** The store gives away vbuckets whose owner is alive. */
    TAKE_OVER_BEFORE_LEASE_END,
    /** A node goes on after its lease has ended. */
    IGNORE_OWN_LEASE,
    /** A node releases vbuckets and goes on with them until it hears that they are released. */
    RELEASE_WITHOUT_STOPPING,
    /** A checkpoint covers what was dispatched and is not handled yet. */
    CHECKPOINT_AHEAD,
    /** The store takes checkpoints of whoever had the vbucket once. */
    NO_FENCE,
    /** A timer is deleted before it fires. */
    TIMER_DELETED_FIRST,
    /** A node that ended a lapse of its lease does not look what it still owns. */
    NO_LOOK_AFTER_LAPSE
}
