package io.millrace.metakv;

/** An event of a watch; see {@link MetakvClient#watch}. */
public sealed interface MetakvEvent {

    /** The entry is new to this watch, or has a new value. */
    record Changed(MetakvEntry entry) implements MetakvEvent {}

    /** An entry that this watch emitted before was deleted. */
    record Deleted(String path) implements MetakvEvent {}

    /** The watch has emitted all entries that existed when it started. Emitted once per watch. */
    record Ready() implements MetakvEvent {}
}
