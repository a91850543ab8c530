package io.millrace.handler;

/** What comes of compiling code: a {@link Handler} or the reason why there is none. */
public sealed interface Compilation permits Handler, HandlerRejected {}
