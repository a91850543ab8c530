package io.millrace.rebalance;

import java.util.List;

/** What became of the wish for a topology change, or for its end. */
public sealed interface ChangeRequest {

    /**
     * It is taken up as soon as these are written; when another rev is met, somebody else was faster.
     *
     * @param id of the change
     */
    record Accepted(String id, List<Order> orders) implements ChangeRequest {}

    /** It cannot be done now, or not at all. */
    record Refused(String reason) implements ChangeRequest {}
}
