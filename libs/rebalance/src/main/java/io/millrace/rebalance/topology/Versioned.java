package io.millrace.rebalance.topology;

/** A value and the rev of its MetaKV entry. */
public record Versioned<T>(T value, String rev) {}
