/**
 * What a function sees of its host: the functions that the scripts of this package call, in JavaScript terms. May use
 * documents, code, sandbox and host; used by {@link io.millrace.handler.HandlerThread} alone.
 */
@NullMarked
package io.millrace.handler.bridge;

import org.jspecify.annotations.NullMarked;
