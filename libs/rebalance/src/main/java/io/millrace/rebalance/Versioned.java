package io.millrace.rebalance;

/** A value and the rev of the MetaKV entry that holds it. */
public record Versioned<T>(T value, String rev) {}
