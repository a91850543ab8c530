package io.millrace.metakv;

/** What a watch of a directory tells; see {@link MetakvClient#watch}. */
public sealed interface MetakvEvent {

    /** The entry is new to this watch, or has a new value. */
    record Changed(MetakvEntry entry) implements MetakvEvent {}

    /** The entry that this watch told of is gone. */
    record Deleted(String path) implements MetakvEvent {}

    /** Everything that was there when the watch began has been told. Comes once in the life of a watch. */
    record Ready() implements MetakvEvent {}
}
