package io.millrace.streams;

import io.millrace.streams.store.Token;

/** A state and the token of its stream. */
record Loaded<S>(Token token, S state) {}
