package io.millrace.eventing.producer;

import java.time.Duration;

/** The limits of code that runs without being deployed, each with its unit. */
final class DraftLimits {

    /** How long a dry run may take, beyond the start of its worker. */
    static final Duration DRY_RUN_PATIENCE = Duration.ofSeconds(60);

    /** The most replays with drafts of code, and dry runs, that a node runs at a time. */
    static final int MAX_DRAFT_REPLAYS = 2;

    private DraftLimits() {}
}
