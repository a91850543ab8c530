package io.millrace.handler;

/** The result of compiling code: a {@link Handler} or the reason why the code is rejected. */
public sealed interface Compilation permits Handler, HandlerRejected {}
