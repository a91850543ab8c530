/**
 * A worker: runs one function's handler on the events that arrive over its link. What the handler reaches is in
 * {@code bindings}, the process in which workers live in {@code host}.
 */
@NullMarked
package io.millrace.worker;

import org.jspecify.annotations.NullMarked;
