package io.millrace.streams;

/** A state and where its stream was. */
record Loaded<S>(Token token, S state) {}
