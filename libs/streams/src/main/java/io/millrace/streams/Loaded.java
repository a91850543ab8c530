package io.millrace.streams;

import io.millrace.streams.store.Token;

/** A state and where its stream was. */
record Loaded<S>(Token token, S state) {}
