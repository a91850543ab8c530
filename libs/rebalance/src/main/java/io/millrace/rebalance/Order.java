package io.millrace.rebalance;

import org.jspecify.annotations.Nullable;

/**
 * A write that somebody has decided on. Orders are carried out one after the other; after one that meets another rev the
 * rest is forgotten, because they were decided on from an old view.
 */
public sealed interface Order {

    /** Writes the layout over the one with this rev, or where there is none. */
    record PutLayout(Layout layout, @Nullable String rev) implements Order {}

    /** Writes the change over the one with this rev, or where there is none. */
    record PutChange(Change change, @Nullable String rev) implements Order {}

    /** Writes a node's own task. */
    record PutTask(String node, Task task) implements Order {}

    /** Deletes the task of a node; one that is not there is no error. */
    record DeleteTask(String node) implements Order {}

    /** Writes a token unless it is there. */
    record AddToken(Token token) implements Order {}

    /** Deletes the token of a change; one that is not there is no error. */
    record DeleteToken(String id) implements Order {}
}
