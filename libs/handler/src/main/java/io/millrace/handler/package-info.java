/**
 * Validates and runs one function's JavaScript in a sandbox: {@link io.millrace.handler.HandlerEngine} compiles a
 * {@link io.millrace.handler.HandlerSpec}, a {@link io.millrace.handler.HandlerThread} runs its entry points over a
 * {@link io.millrace.handler.host.HandlerHost}. Knows no store and no wire; the worker process and, for
 * {@link io.millrace.handler.SyntaxCheck}, the eventing service may depend on it.
 */
@NullMarked
package io.millrace.handler;

import org.jspecify.annotations.NullMarked;
