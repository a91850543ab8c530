package io.millrace.rebalance.topology;

import java.util.List;

/** The outcome of a request to start or to cancel a topology change. */
public sealed interface ChangeRequest {

    /**
     * The request takes effect when these orders are written; if a rev does not match, another writer was faster.
     *
     * @param id the id of the change
     */
    record Accepted(String id, List<Order> orders) implements ChangeRequest {}

    /** The request is not possible now, or not at all. */
    record Refused(String reason) implements ChangeRequest {}
}
