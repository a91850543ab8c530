/**
 * The engine, restricted to what a function may reach, and the guard that stops invocations that run too long or
 * allocate too much. Internal.
 */
@NullMarked
package io.millrace.handler.sandbox;

import org.jspecify.annotations.NullMarked;
